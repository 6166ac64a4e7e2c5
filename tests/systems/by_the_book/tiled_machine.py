# SPDX-License-Identifier: Apache-2.0
"""The tiled machine by docs/timing.md and docs/tiled.md: a layer's tiles, then edge after edge of fabric and port.

Covered: conv (groups 1) with a maxpool fused behind it, and fc, of dorefa codes of 8 bits; maps that one tile of rows and
columns holds, a fully connected layer of one tile; serial loads; `fidelity: fixed`."""
from collections import deque

from edges import FixedMemory, Pipe, Port, Stream, Stuck, Uncovered, megahertz
from tiled_path import Converter, Crossing, Interconnect, Reader, Writer
from tiled_plan import Plan


class Engine:
    """docs/tiled.md, "Computing engine", and "Five layers of the tiled accelerator counted by hand"."""

    def __init__(self, c, plan):
        self.plan = plan
        for name in ('inputs', 'weights', 'inputs_freed', 'weights_freed', 'points', 'sets', 'sums', 'sums_freed', 'results',
                     'results_freed'):
            setattr(self, name, Stream())
        self.walker, self.walk = Pipe(2, self.points), 0
        self.tiles_walked = self.tiles_fed = self.tiles_taken = self.posted = 0
        self.feed, self.word, self.shadow = 0, 0, 0
        self.step_points, self.taken, self.entry_at = 0, 0, {}
        self.complete, self.post, self.pushed = deque(), 0, deque()
        self.halves = 2 if plan.engine['double_buffer'] else 1

    def step(self, n):
        plan = self.plan
        total = plan.steps * plan.points
        if self.walker.advance(n):
            if not self.walk and self.inputs.has(n):
                self.inputs.pop(n)
                self.walk = total
            if self.walk:
                self.walk -= 1
                self.walker.enter(None)
                if not self.walk:
                    self.inputs_freed.push(n, None)
        self.feeder(n)
        self.array(n, total)
        if self.complete and self.complete[0] == n:
            self.complete.popleft()
            self.sums.push(n, None)
        self.post_process(n)

    def feeder(self, n):
        plan = self.plan
        if not self.feed and self.weights.has(n):
            self.weights.pop(n)
            self.feed, self.word = plan.steps, 0
        if not self.feed or (n < self.shadow if not plan.fc else not self.sets.room(n)):
            return
        self.word += 1
        if self.word == plan.words:
            self.word = 0
            self.feed -= 1
            self.sets.push(n, None)
            self.shadow = float('inf')
            if not self.feed:
                self.weights_freed.push(n, None)

    def array(self, n, total):
        plan = self.plan
        if not self.points.has(n):
            return
        tile = plan.tiles[self.tiles_taken]
        entry = self.taken % plan.entries if plan.fc else self.step_points
        if self.step_points == 0 and not self.sets.has(n):
            return
        if self.taken == 0 and tile.first:
            if self.halves == 0:
                if not self.sums_freed.has(n):
                    return
                self.sums_freed.pop(n)
                self.halves += 1
            self.halves -= 1
            self.entry_at = {}
        if n < self.entry_at.get(entry, -3) + 3:
            return
        self.entry_at[entry] = n
        self.points.pop(n)
        if self.step_points == 0:
            self.sets.pop(n)
            self.shadow = n + 1
        self.step_points = (self.step_points + 1) % plan.points
        self.taken += 1
        if self.taken == total:
            self.taken = 0
            self.tiles_taken += 1
            if tile.last:
                self.complete.append(n + 3 + plan.tree + 3)

    def post_process(self, n):
        if not self.post and self.sums.has(n):
            self.sums.pop(n)
            lasts = [t for t in self.plan.tiles if t.last]
            self.post = lasts[self.posted].post
        if self.post:
            self.post -= 1
            if not self.post:
                self.sums_freed.push(n, None)
                self.pushed.append((n + 9, [t for t in self.plan.tiles if t.last][self.posted].outputs))
                self.posted += 1
        if self.pushed and self.pushed[0][0] <= n:
            self.results.push(n, self.pushed.popleft()[1])


class Machine:
    def __init__(self, c, plan):
        self.c, self.plan = c, plan
        ratio = megahertz(c['port_mhz']) / megahertz(c['clock_mhz'])
        self.fabric, self.port_period = ratio.numerator, ratio.denominator   # edge r is at r x fabric, q at q x period
        beat, longest, load = c['port']['data_bits'] // 8, c['port']['burst_beats'], c['load']
        near = [Port() for _ in range(3)]
        middle, far, port = [Port() for _ in range(3)], [Port() for _ in range(3)], Port()
        self.there, self.back = [], []
        for n, m in zip(near, middle):
            for name in 'ar', 'aw', 'w':
                self.there.append(Crossing(c['clock_converter'], ratio, getattr(n, name), getattr(m, name)))
            for name in 'r', 'b':
                self.back.append(Crossing(c['clock_converter'], 1 / ratio, getattr(m, name), getattr(n, name)))
        widths = [load['input_bits'] // 8, load['weight_bits'] // 8, c['store']['bits'] // 8]
        self.converters = [Converter(m, f, w, beat, longest) for m, f, w in zip(middle, far, widths)]
        self.interconnect = Interconnect(far, port)
        self.memory = FixedMemory(c['ddr'], [port], c['port']['data_bits'])
        self.engine = Engine(c, plan)
        self.input_done, self.weight_done = Stream(), Stream()
        self.input_reader = Reader(c, widths[0], load['input_burst_beats'], near[0], self.input_done)
        self.weight_reader = Reader(c, widths[1], load['weight_burst_beats'], near[1], self.weight_done)
        self.writer = Writer(c, near[2])
        self.to_inputs, self.to_weights = Stream(), Stream()
        self.asked_inputs, self.asked_weights = deque(), deque()
        self.input_half = 2 if plan.engine['double_buffer'] else 1
        self.weight_half = 2 if c['weights']['double_buffer'] else 1
        self.input_tile = self.weight_tile = self.stored = 0
        self.input_turn = self.weight_turn = False
        self.line, self.storing = None, deque()

    def load(self, n):
        """docs/timing.md, "Two tiles of a convolution": parameters, then inputs and weights in turns."""
        engine, tiles = self.engine, self.plan.tiles
        if self.weight_done.has(n):
            self.weight_done.pop(n)
            self.to_inputs.push(n, None)
        if self.input_done.has(n):
            self.input_done.pop(n)
            self.to_weights.push(n, None)
        if engine.inputs_freed.has(n):
            engine.inputs_freed.pop(n)
            self.input_half += 1
        if engine.weights_freed.has(n):
            engine.weights_freed.pop(n)
            self.weight_half += 1
        if not self.input_turn and self.to_inputs.has(n):
            self.to_inputs.pop(n)
            self.input_turn = True
        if self.input_turn and self.input_half and self.input_tile < len(tiles):
            self.input_turn = False
            self.input_half -= 1
            runs = tiles[self.input_tile].inputs
            self.asked_inputs.extend((run, i == len(runs) - 1) for i, run in enumerate(runs))
            self.input_tile += 1
        if not self.weight_turn and self.to_weights.has(n):
            self.to_weights.pop(n)
            self.weight_turn = True
        if self.weight_turn and self.weight_half:
            self.weight_turn = False
            self.weight_half -= 1
            self.asked_weights.append((tiles[self.weight_tile].weights, True))
            self.weight_tile += 1
        for asked, reader in ((self.asked_inputs, self.input_reader), (self.asked_weights, self.weight_reader)):
            if asked and reader.runs.room(n) and reader.decoder_runs.room(n):
                reader.ask(n, asked.popleft())

    def store(self, n):
        if not self.storing and self.engine.results.has(n):
            self.storing.extend(self.engine.results.pop(n))
        if self.storing and self.writer.runs.room(n) and self.writer.encoder_runs.room(n):
            run = self.storing.popleft()
            self.writer.ask(n, (run, not self.storing))
        if self.writer.written.has(n):
            self.writer.written.pop(n)
            self.stored += 1
            if self.stored == sum(t.last for t in self.plan.tiles):
                self.line = n + 1

    def fabric_edge(self, n):
        for crossing in self.there:
            crossing.take(n)
        for crossing in self.back:
            crossing.give(n)
        before = self.input_done.pushed, self.weight_done.pushed
        self.input_reader.step(n), self.weight_reader.step(n)
        if self.input_done.pushed != before[0]:
            self.engine.inputs.push(n, None)
        if self.weight_done.pushed != before[1] and self.weight_tile:
            self.engine.weights.push(n, None)
        self.load(n), self.engine.step(n), self.writer.step(n), self.store(n)

    def port_edge(self, n):
        for crossing in self.there:
            crossing.give(n)
        for crossing in self.back:
            crossing.take(n)
        for converter in self.converters:
            converter.step(n)
        self.interconnect.step(n), self.memory.step(n)

    def run(self):
        host = self.c['host']
        job = host['layer_setup'] + 22 * (host['register_write'] + 2)      # popped by all stages
        self.asked_weights.append(((0, self.plan.parameters), True))
        fabric, port = job, job * self.fabric // self.port_period
        while self.line is None:
            if fabric * self.fabric <= port * self.port_period:
                self.fabric_edge(fabric)
                fabric += 1
            else:
                self.port_edge(port)
                port += 1
            if fabric > 10**6:
                raise Stuck('no interrupt')
        return self.line + host['interrupt']


def by_the_book(c, network):
    """Returns the cycles of each layer of a chain, 0 for a pooling fused into its convolution."""
    shape, layers, cycles, at = tuple(network['input']['shape']), network['layers'], {}, 0
    while at < len(layers):
        layer, pool, first = layers[at], None, at == 0
        if layer['type'] not in ('conv', 'fc'):
            raise Uncovered('host')
        if layer['type'] == 'conv' and at + 1 < len(layers) and layers[at + 1]['type'] == 'maxpool':
            at += 1
            pool = layers[at]
            cycles[pool['name']] = 0, {}
        at += 1
        reader = layers[at]['type'] == 'conv' and c['conv']['tn'] if at < len(layers) else None
        plan = Plan(c, layer, shape, first, pool, reader)
        cycles[layer['name']] = Machine(c, plan).run(), None
        shape = plan.out
    return cycles
