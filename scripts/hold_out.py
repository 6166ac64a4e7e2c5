#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws legal parameters of the twins anew, synthesises each and compares with the estimate, which has seen none of them.

hold_out.py ESTIMATE_TEST [--count N] [--seed N] [--jobs N] [TWIN ...]    N points of each twin

What is in set `fit` of tests/rtl/grid.csv is not drawn: a twin of few legal points may give fewer than N.
Within: LUT 10 % or 100, FF 5 %, DSP, block RAM and shift registers equal."""
import argparse
import collections
import concurrent.futures
import csv
import os
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import synthesise  # noqa: E402


def channels(r, most=16):
    """Input channels are a power of two, output channels a multiple of them."""
    inputs = r.choice([n for n in (1, 2, 4, 8, 16) if n <= most])
    return inputs, inputs * r.randint(1 if inputs > 1 else 2, most // inputs)


def array(r, most=8, taps=12):
    inputs, outputs = channels(r, most)
    rows = r.randint(1, 5)
    return {'ROWS': rows, 'COLS': r.randint(1, max(1, min(5, taps // rows))), 'INPUT_CHANNELS': inputs,
            'OUTPUT_CHANNELS': outputs}


def mac_array(r):
    kind = r.choice([0, 1, 2, 4])
    values = dict(array(r, 4, 9), MULTIPLIER=kind)
    if kind in (1, 4) and values['OUTPUT_CHANNELS'] % 2:
        values['OUTPUT_CHANNELS'] += values['INPUT_CHANNELS'] if values['INPUT_CHANNELS'] % 2 else 0
    return dict(values, TERMS=r.randint(2, 8)) if kind == 4 else values


def graded(r):
    bits = r.randint(1, 8)
    return {'VALUE_BITS': bits, 'SLOT_BITS': bits, 'WORD_BITS': 32, 'BEAT_BITS': r.choice([32, 64, 128])}


def outputs(r):
    return {'OUTPUT_CHANNELS': channels(r)[1]}


def tile_engine(r):
    tm, tn = r.randint(1, 8), r.randint(1, 12)
    by_input = r.randint(0, 1)
    return {'TM': tm, 'TN': tn, 'BY_INPUT': by_input, 'DSP_CHANNELS': r.randint(0, tn if by_input else tm),
            'ACCUMULATOR_BITS': r.choice([24, 32, 40, 48]), 'OUTPUT_WORDS': r.choice([512, 1024, 2048]),
            'HALVES': r.randint(1, 2)}


def window(r):
    return {'SAMPLES': r.choice([1, 2, 4, 8]), 'LINE_SAMPLES': r.choice([1024, 2048]), 'KERNEL': r.choice([3, 5, 7])}


DRAWS = {
    'stream_register': lambda r: {'WIDTH': r.randint(1, 300)},
    'activation': outputs,
    'code_table': outputs,
    'quantiser': lambda r: dict(outputs(r), ACCUMULATOR_BITS=r.randint(20, 32), OPERAND_BITS=r.randint(16, 20),
                                HALF_UP=r.randint(0, 1)),
    'packer': lambda r: {'BEAT_BYTES': r.choice([4, 8, 16]), 'WORD_BYTES': r.choice([1, 2, 4, 8, 16])},
    'graded_decoder': graded,
    'graded_encoder': graded,
    'stream_receiver': lambda r: {'BEAT_BYTES': r.choice([8, 16]), 'ADDRESS_BITS': r.randint(8, 18)},
    'ping_pong': lambda r: {'WRITE_BYTES': r.choice([8, 16]), 'READ_BYTES': r.choice([1, 2, 4, 8, 16]),
                            'HALF_BYTES': 1024 * r.randint(1, 48)},
    'sequencer': lambda r: {'ROWS': r.randint(1, 5), 'COLS': r.randint(1, 5)},
    'pooling': lambda r: dict(outputs(r), KERNEL=(k := r.randint(2, 5)), OPEN=r.randint(1, k), DEPTH=r.choice([256, 512, 1024])),
    'output_store': lambda r: dict(outputs(r), ADDRESS_BITS=r.randint(9, 15)),
    'output_writer': lambda r: dict(zip(('INPUT_CHANNELS', 'OUTPUT_CHANNELS'), channels(r)), ADDRESS_BITS=r.randint(9, 15)),
    'recurrent_cell': lambda r: dict(outputs(r), BLOCKS=r.choice([32, 64, 128, 256]), REQUANTISE=r.randint(0, 1)),
    'adder_tree': array,
    'mac_array': mac_array,
    'dual_int8_mac': lambda r: {'TERMS': r.randint(1, 8), 'SHIFT': r.randint(18, 19)},
    'weight_reader': array,
    'line_buffer': lambda r: {'ROWS': r.randint(1, 5), 'INPUT_CHANNELS': r.choice([1, 2, 4, 8]),
                              'LINE_COLUMNS': r.randint(4, 512)},
    'sliding_window': lambda r: {key: value for key, value in array(r).items() if key != 'OUTPUT_CHANNELS'},
    'accumulator': lambda r: dict(outputs(r), ROWS=r.randint(1, 5), ACCUMULATOR_DEPTH=r.randint(256, 4096),
                                  ACCUMULATOR_BITS=(b := r.randint(20, 32)), SUM_BITS=r.randint(18, b)),
    'bias_buffer': lambda r: dict(outputs(r), BEAT_BYTES=r.choice([8, 16]), HALF_BYTES=512 * r.randint(1, 8)),
    'hidden_state': lambda r: dict(zip(('INPUT_CHANNELS', 'OUTPUT_CHANNELS'), channels(r)), BLOCKS=r.choice([32, 64, 128, 256])),
    'reload_controller': lambda r: {'INPUTS': r.randint(1, 9), 'COEFFICIENT_BITS': r.randint(7, 16)},
    'lut_multiplier': lambda r: {'INPUTS': r.randint(2, 9), 'INPUT_BITS': r.randint(8, 12),
                                 'COEFFICIENT_BITS': r.randint(7, 12), 'SHADOW': r.randint(0, 1)},
    'tile_engine': tile_engine,
    'line_window': lambda r: dict(window(r), BITS=r.choice([8, 16])),
    'simd_unit': lambda r: {'SAMPLES': r.choice([2, 4, 8]), 'FOUR12': r.randint(0, 1), 'MULTIPLIERS': r.randint(0, 1)},
}


def values(twin, text):
    """Returns all parameters of a twin; those left out have their defaults in Verilog."""
    own = re.findall(r'parameter (\w+) = (\w+)', (synthesise.RTL / f'{twin}.v').read_text())
    return twin, frozenset({**dict(own), **synthesise.parse_parameters(text)}.items())


def within(row):
    lut, ff = float(row['lut']), float(row['ff'])
    return {'lut': abs(float(row['estimated_lut']) - lut) <= max(100, 0.1 * lut),
            'ff': abs(float(row['estimated_ff']) - ff) <= 0.05 * ff,
            **{kind: float(row[f'estimated_{kind}']) == float(row[kind]) for kind in ('srl', 'bram36', 'dsp')}}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('estimate_test')
    parser.add_argument('twins', nargs='*', metavar='TWIN')
    parser.add_argument('--count', type=int, default=6)
    parser.add_argument('--seed', type=int, default=random.randrange(10**6))
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    args = parser.parse_args()
    print(f'seed {args.seed}', flush=True)
    fitted = {values(row['twin'], row['parameters']) for row in synthesise.read_rows(synthesise.GRID) if row['set'] == 'fit'}
    points = []
    for twin in args.twins or DRAWS:
        draw, seen = random.Random(f'{args.seed} {twin}'), set()
        for _ in range(50):
            text = ' '.join(f'{key}={value}' for key, value in DRAWS[twin](draw).items())
            if text not in seen and values(twin, text) not in fitted and len(seen) < args.count:
                seen.add(text)
                points.append((twin, text))
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as workers, tempfile.TemporaryDirectory() as folder:
        cells = list(workers.map(lambda p: synthesise.synthesise(p[0], synthesise.parse_parameters(p[1])), points))
        with open(f'{folder}/points.csv', 'w') as file:
            file.write('twin,parameters,set,lut,ff,srl,bram36,dsp,sources\n')
            for (twin, text), c in zip(points, cells):
                file.write(f'{twin},{text},held_out,{c["lut"]},{c["ff"]},{c["srl"]},{c["bram36"]},{c["dsp"]},\n')
        out = subprocess.run([args.estimate_test, '[.compare]', '-o', f'{folder}/log'], check=True, capture_output=True, text=True,
                             env={**os.environ, 'FANSIM_RESOURCES': f'{folder}/points.csv'}).stdout
    rows = [row for row in csv.DictReader(line for line in out.splitlines() if line.count(',') == 12)]
    good, all_of = collections.Counter(), collections.Counter()
    for row in rows:
        held = within(row)
        all_of[row['twin']] += 1
        good[row['twin']] += all(held.values())
        if not all(held.values()):
            figures = ', '.join(f'{kind} {float(row[kind]):g} estimated {float(row["estimated_" + kind]):g}'
                                for kind, ok in held.items() if not ok)
            print(f'  {row["twin"]} {row["parameters"]}: {figures}')
    for twin in all_of:
        print(f'{twin}: {good[twin]} of {all_of[twin]}')
    share = sum(good.values()) / max(1, len(rows))
    print(f'{sum(good.values())} of {len(rows)} within: {100 * share:.1f} %')
    return share < 0.95


if __name__ == '__main__':
    sys.exit(main())
