#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Random small layers on the streaming and the tiled machine: cycles by docs/timing.md beside those of the program.

by_the_book.py FANSIM SOURCE [--seed N] [--count N] [--machine stream|tiled]"""
import argparse
import fractions
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile

import yaml

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), 'by_the_book'))
import stream_machine  # noqa: E402
import tiled_machine  # noqa: E402
from edges import Stuck, Uncovered  # noqa: E402


# Buckets that the page does not separate to the edge are compared together.
BUCKETS = [('compute',), ('fill',), ('drain',), ('wait_output',), ('host',), ('idle',),
           ('wait_weights', 'wait_input', 'ddr_refresh', 'ddr_turnaround', 'ddr_arbitration', 'dma_setup')]


def program(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def layer_of(draw, kind, shape, name):
    channels, height, width = shape
    layer = {'name': name, 'type': kind}
    if kind == 'fc':
        return dict(layer, units=draw.randint(1, 40)), (0, 0, 0)
    padding = 0
    if kind == 'conv':
        kernel = draw.choice([k for k in (1, 1, 2, 3, 3, 3, 4, 5, 7) if k <= min(height, width) + 2])
        padding = draw.randint(max(0, -(-(kernel - min(height, width)) // 2)), 2)
        layer.update(filters=draw.randint(1, 28), kernel=kernel, padding=padding, stride=draw.choice([1, 1, 1, 2, 3]))
        if draw.random() < 0.5:
            layer['activation'] = 'relu'
    else:
        kernel = draw.randint(2, 3)
        if kernel > min(height, width):
            return None, shape
        padding = draw.choice([0, 0, 1])
        layer.update(kernel=kernel, stride=draw.randint(2 if kernel == 3 else 1, kernel), padding=padding)
    size = [(s + 2 * padding - layer['kernel']) // layer['stride'] + 1 for s in (height, width)]
    return layer, (layer.get('filters', channels), *size)


def stream_keys(draw):
    keys = {'ddr.read_latency': draw.randint(1, 60), 'ddr.write_latency': draw.randint(1, 40),
            'ddr.turnaround': draw.randint(0, 12), 'ddr.refresh_interval': draw.randint(300, 2500),
            'ddr.refresh_cycles': draw.randint(0, 90),
            'dma.mm2s_start': draw.randint(1, 12), 'dma.mm2s_stream': draw.randint(1, 9), 'dma.s2mm_start': draw.randint(1, 12),
            'axi.burst_beats': draw.choice([4, 8, 16, 32]), 'axi.outstanding': draw.randint(1, 8),
            'axi.data_bits': draw.choice([64, 128]), 'ddr.share': draw.choice([0.5, 0.25, 0.9, 0.37]),
            'ddr.data_bits': draw.choice([16, 32, 60]),
            'host.register_write': draw.randint(5, 40), 'host.register_read': draw.randint(5, 40),
            'host.interrupt': draw.randint(50, 500), 'host.dma_setup': draw.randint(100, 1000),
            'host.layer_setup': draw.randint(500, 2500),
            'array.multiplier': draw.choice(['dsp48e2', 'dsp48e2_dual_int8', 'lut']),
            'array.rows': draw.randint(1, 4), 'array.cols': draw.randint(1, 4), 'array.input_channels': draw.choice([2, 4, 8, 16]),
            'array.output_channels': draw.choice([4, 8])}
    return dict(draw.sample(sorted(keys.items()), draw.randint(0, 5)))


def stream_case(draw):
    shape = (draw.randint(1, 30), draw.randint(1, 10), draw.choice([draw.randint(1, 12), draw.randint(1, 40)]))
    network = {'version': 1, 'name': 'drawn', 'input': {'shape': list(shape), 'type': 'int8'}, 'layers': []}
    for i in range(draw.randint(1, 3)):
        kinds = ['conv', 'conv', 'maxpool', 'avgpool'] + (['fc'] if shape[0] * shape[1] * shape[2] < 1500 else [])
        layer, after = layer_of(draw, draw.choice(kinds), shape, f'l{i}')
        if layer is None:
            continue
        network['layers'].append(layer)
        shape = after
        if layer['type'] == 'fc':
            break
    return network, stream_keys(draw)


def tiled_keys(draw):
    keys = {'ddr.read_latency': draw.randint(1, 80), 'ddr.write_latency': draw.randint(1, 40),
            'ddr.turnaround': draw.randint(0, 12), 'ddr.refresh_interval': draw.randint(300, 2700),
            'ddr.refresh_cycles': draw.randint(0, 90), 'ddr.share': draw.choice([0.5, 0.25, 0.9, 0.37]),
            'port_mhz': draw.choice([200, 250, '1000/3', 300, 150]), 'host.register_write': draw.randint(5, 40),
            'host.interrupt': draw.randint(50, 500), 'host.layer_setup': draw.randint(500, 2500),
            'load.input_burst_beats': draw.choice([8, 16, 32]), 'load.weight_burst_beats': draw.choice([16, 64, 256]),
            'load.outstanding': draw.randint(1, 16), 'load.gap': draw.randint(0, 3), 'store.burst_beats': draw.choice([8, 16, 32]),
            'store.lanes': draw.choice([8, 16, 32]), 'weights.double_buffer': draw.choice(['true', 'false']),
            'conv.double_buffer': draw.choice(['true', 'false']), 'store.outstanding': draw.randint(1, 16),
            'clock_converter.sync_stages': draw.randint(2, 4)}
    keys = dict(draw.sample(sorted(keys.items()), draw.randint(0, 5)))
    if draw.random() < 0.7:
        tm = draw.choice([4, 8, 12, 16, 32])
        keys.update({'first.tm': 0, 'first.tn': 0, 'conv.tm': tm, 'conv.tn': draw.randint(1, 12), 'conv.dsp_channels': tm})
    return keys


def tiled_case(draw):
    shape = (draw.randint(1, 30), draw.randint(1, 12), draw.randint(1, 12))
    network = {'version': 1, 'name': 'drawn', 'input': {'shape': list(shape), 'type': 'int8'}, 'layers': []}
    for i in range(draw.randint(1, 3)):
        last = network['layers'][-1]['type'] if network['layers'] else None
        layer, after = layer_of(draw, draw.choice(['conv', 'conv', 'maxpool' if last == 'conv' else 'conv', 'fc']), shape, f'l{i}')
        if layer is None:
            continue
        network['layers'].append(layer)
        shape = after
        if layer['type'] == 'fc':
            break
    return network, tiled_keys(draw)


MACHINES = {'stream': (stream_case, stream_machine.by_the_book, 'configs/systems/zcu102_stream.yaml',
                       '../parts/round_numbers_ddr.yaml'),
            'tiled': (tiled_case, tiled_machine.by_the_book, 'configs/systems/faq_zcu102_dorefa8.yaml',
                      '../parts/round_numbers_ddr.yaml')}


# These are the page's own examples that the calculators cover.
HAND_TILE = {'first.tm': 0, 'first.tn': 0, 'conv.tm': 8, 'conv.tn': 6, 'conv.dsp_channels': 8, 'port_mhz': 200}
HAND = {'stream': [('hand_window', {}), ('hand_pointwise', {}), ('hand_fc', {})],
        'tiled': [('hand_tile', HAND_TILE), ('hand_window', {}), ('hand_fc', {})]}


SECONDS = {'ps': 12, 'ns': 9, 'us': 6, 'ms': 3, 's': 0}


def edges(cost, mhz):
    """A cost in edges of a clock, by "Costs and clocks": the time rounded up, then the cycles."""
    time = cycles = 0
    for sign, number, unit in re.findall(r'([+-]?) *([0-9.]+) ?([a-z]*)', cost):
        value = fractions.Fraction(number) * (-1 if sign == '-' else 1)
        if unit in SECONDS:
            time += value / 10 ** SECONDS[unit]
        else:
            cycles += int(value)
    return max(0, math.ceil(time * fractions.Fraction(mhz) * 10 ** 6) + cycles)


def counted(config):
    """The configuration with the costs of host and memory in edges."""
    clocks = {'host': str(config['clock_mhz']), 'ddr': str(config.get('port_mhz', config['clock_mhz']))}
    for block, mhz in clocks.items():
        for key, value in config[block].items():
            if isinstance(value, str) and re.match('[0-9.]+ ', value):
                config[block][key] = edges(value, mhz)
    return config


def run(fansim, source, machine, network, keys, path):
    """Returns None where the machine refuses or the calculator does not cover, else a list of differences and the layers' number."""
    _, by_the_book, system, memory = MACHINES[machine]
    with open(path, 'w') as file:
        json.dump(network, file)
    sets = [word for key, value in [('ddr', memory), *keys.items()] for word in ('--set', f'{key}={value}')]
    code, text, _ = program(fansim, 'describe', f'{source}/{system}', *sets)
    if code:
        return None
    try:
        book = by_the_book(counted(yaml.safe_load(text)), network)
    except Uncovered:
        return None
    except Stuck as stuck:
        return [f'the calculator is stuck: {stuck}'], 0
    command = [fansim, 'run', f'{source}/{system}', path, '--strict', '--timing-only', *sets]
    differences = []
    for engine in 'fast', 'clocked':
        code, text, why = program(*command, '--json', '-', '--engine', engine)
        if code == 3:
            return None
        if code:
            sys.exit(f'{" ".join(command)}\n{why}')
        for layer in json.loads(text)['layers']:
            cycles, buckets = book[layer['name']]
            if cycles != layer['cycles']:
                differences.append(f'{layer["name"]}: {cycles} by the book, {layer["cycles"]} {engine}')
            elif buckets is not None:
                for group in BUCKETS:
                    ours, theirs = (sum(b.get(key, 0) for key in group) for b in (buckets, layer['buckets']))
                    if ours != theirs:
                        differences.append(f'{layer["name"]}: {" + ".join(group)} {ours} by the book, {theirs} {engine}')
    return differences, len(book)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('fansim')
    parser.add_argument('source')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--count', type=int, default=6)
    parser.add_argument('--machine', choices=sorted(MACHINES), action='append')
    args = parser.parse_args()
    failed = 0
    for machine in args.machine or sorted(MACHINES):
        draw, runs, layers, passed_by = random.Random(f'{machine} {args.seed}'), 0, 0, 0
        cases = list(HAND[machine])
        with tempfile.TemporaryDirectory() as folder:
            while runs < args.count + len(HAND[machine]):
                if cases:
                    name, keys = cases.pop(0)
                    with open(f'{args.source}/models/{name}.yaml') as file:
                        network = yaml.safe_load(file)
                else:
                    network, keys = MACHINES[machine][0](draw)
                result = network['layers'] and run(args.fansim, args.source, machine, network, keys, f'{folder}/drawn.yaml')
                if not result:
                    passed_by += 1
                    continue
                runs, layers, failed = runs + 1, layers + result[1], failed + bool(result[0])
                if result[0]:
                    print(json.dumps(network), keys, *result[0], sep='\n  ')
        print(f'{machine}, seed {args.seed}: {runs} runs, {layers} layers, {passed_by} passed by as not covered')
    print(f'{failed} runs differ')
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
