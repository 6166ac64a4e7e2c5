# SPDX-License-Identifier: Apache-2.0
"""The streaming machine by docs/timing.md: a layer's jobs ("Host"), then edge after edge of core, DMA and memory.

Covered: conv (groups 1) with a maxpool fused behind it, fc, maxpool, avgpool of int8; the thesis's loop order; weights and
biases of a layer in half a buffer, multipliers dsp48e2_dual_int8, dsp48e2 and lut; `fidelity: fixed`."""
from collections import Counter, deque

from edges import FixedMemory, Pipe, Port, Stream, Stuck, Uncovered, bursts, ceil_div, ceil_log2
from stream_plan import Pass, Plan


class Core:
    """"The core", block by block; step() is an edge, downstream first or last alike ("Streams")."""

    def __init__(self, c):
        array = c['array']
        if array['line_memory'] == 'block' or array['code_table'] \
                or array['multiplier'] not in ('dsp48e2', 'dsp48e2_dual_int8', 'lut'):
            raise Uncovered('array')
        self.cols = array['cols']
        for name in ('jobs', 'lines', 'passes', 'sets', 'columns', 'weight_columns', 'windows', 'products', 'sums', 'done',
                     'totals', 'quantised', 'pooled', 'tiles'):
            setattr(self, name, Stream())
        self.actions, self.ready, self.line, self.window, self.set_left = deque(), 0, None, None, 0
        self.loaded, self.loaded_at, self.issued, self.pooling, self.job = 0, -1, 0, None, None
        self.reader = Pipe(2, self.weight_columns)
        self.mac = Pipe(4 if array['multiplier'] == 'dsp48e2_dual_int8' else 3, self.products)
        tree = ceil_log2(self.cols * array['input_channels']) + ceil_log2(array['rows'])
        self.tree = Pipe(max(1, tree), self.sums)
        self.accumulator, self.quantiser = Pipe(2, self.totals), Pipe(4, self.quantised)
        self.pool = Pipe(1, self.pooled)
        self.running, self.did = False, {}         # a job is under way; what the array did at each of its edges
        self.pending = False           # pixels between accumulator and output store
        self.visible = None            # edge at which the job's interrupt is visible
        self.stored = 0

    def step(self, n):
        self.sequencer(n), self.line_buffer(n), self.sliding_window(n), self.weights(n), self.array(n)
        if self.running:
            self.did[n] = self.what
        if self.tree.advance(n) and self.products.has(n):
            self.tree.enter(self.products.pop(n))
        self.accumulate(n)
        if self.quantiser.advance(n) and self.totals.has(n):
            self.quantiser.enter(self.totals.pop(n))
        self.pools(n)
        if self.pooled.has(n) and self.tiles.room(n):
            last, size = self.pooled.pop(n)
            if last:
                self.tiles.push(n, size)
                self.pending = False

    def sequencer(self, n):
        if self.done.has(n):
            self.done.pop(n)
            self.visible = n + 1
            self.running = False
        if not self.actions and self.jobs.has(n):
            self.job = self.jobs.pop(n)
            self.running = True
            for words, passes in self.job.fills:
                self.actions.extend([words] + passes)
            self.pixels = sum(size for _, size in self.job.tile)
            self.pending = self.pixels > 0
        if self.actions and self.lines.room(n):
            action = self.actions[0]
            if isinstance(action, Pass):
                if not (self.passes.room(n) and self.sets.room(n)):
                    return
                self.passes.push(n, action)
                self.sets.push(n, action)
            self.lines.push(n, self.actions.popleft())

    def line_buffer(self, n):
        if self.line is None and n >= self.ready and self.lines.has(n):
            command = self.lines.pop(n)
            if isinstance(command, Pass):
                self.line = [command, 0]
            else:
                self.ready = n + command + 2
        if self.line and self.columns.room(n):
            self.columns.push(n, self.line[1])
            self.line[1] += 1
            if self.line[1] == self.line[0].columns:
                self.line = None

    def sliding_window(self, n):
        if self.window is None and self.passes.has(n):
            self.window = self.passes.pop(n)
        if self.window is None or not self.columns.has(n):
            return
        p, column = self.window, self.columns.front()
        x, rest = divmod(column - p.first, p.stride)
        completes = rest == 0 and 0 <= x < p.windows
        if completes and not self.windows.room(n):
            return
        self.columns.pop(n)
        if completes:
            self.windows.push(n, (p, x))
        if column == p.columns - 1:
            self.window = None

    def filling(self, n):
        """Commands are still to be issued, or the line buffer is at one, or the window block has a pass."""
        return self.actions or self.line or n < self.ready - 1 or self.window

    def weights(self, n):
        if self.reader.advance(n):
            if self.set_left == 0 and self.sets.has(n):
                self.sets.pop(n)
                self.set_left = self.cols
            if self.set_left:
                self.set_left -= 1
                self.reader.enter(None)

    def array(self, n):
        """ "Where the cycles go" beside it: the first reason that holds."""
        moves, waiting = self.mac.advance(n), self.windows.has(n)
        self.what = ('wait_weights' if moves else 'wait_output') if waiting else 'fill' if self.filling(n) else 'drain'
        if moves and waiting:
            p, x = self.windows.front()
            if x > 0 or (self.loaded == self.cols and self.loaded_at < n):
                self.mac.enter(self.windows.pop(n))
                self.what = 'compute'
                if x == 0:
                    self.loaded = 0
        if self.loaded < self.cols and self.weight_columns.has(n):
            self.weight_columns.pop(n)
            self.loaded, self.loaded_at = self.loaded + 1, n

    def accumulate(self, n):
        if not self.accumulator.advance(n) or not self.sums.has(n):
            return
        p, x = self.sums.front()
        if p.last_round:
            self.accumulator.enter((p, x, self.issued))
            self.issued += 1
            if self.issued < p.parallel:
                return
            self.issued = 0
        self.sums.pop(n)
        if p.last and x == p.windows - 1:
            self.done.push(n, None)

    def pools(self, n):
        if not self.pool.advance(n):
            return
        if self.pooling is None and self.quantised.has(n):
            p, x, row = self.quantised.pop(n)
            columns, rows = self.job.pools(x)[:2]
            if row >= p.parallel - self.job.dropped:
                columns = rows = 0
            elif p.parallel > 1:
                rows = 1
            self.pooling = [max(1, columns * max(1, rows)), columns * min(rows, columns * rows)]
        if self.pooling:
            self.pooling[0] -= 1
            if self.pooling[1]:
                self.pooling[1] -= 1
                self.stored += 1
                last = self.stored * self.co_bytes == self.pixels
                if last:
                    self.stored = 0
                self.pool.enter((last, self.job.tile))
            if self.pooling[0] == 0:
                self.pooling = None


class Mm2s:
    """"DMA and DDR", reads."""

    def __init__(self, c, port):
        self.port, self.dma, self.axi = port, c['dma'], c['axi']
        self.room = self.axi['outstanding'] * self.axi['burst_beats'] + 1
        self.todo, self.fifo, self.stream, self.outstanding, self.reserved = deque(), [], deque(), 0, 0
        self.idle = 0

    def start(self, edge, address, size):
        beat = self.axi['data_bits'] // 8
        self.todo = deque(bursts(address, size, beat, self.axi['burst_beats']))
        self.first, self.idle = edge + self.dma['mm2s_start'], None
        # of each beat of the stream the read beat that completes it, and how many it is the last to use
        ends = [address % beat + min(i + beat, size) for i in range(0, size, beat)]
        self.stream = deque((ceil_div(end, beat), end // beat if end < ends[-1] else sum(self.todo)) for end in ends)
        self.fifo, self.used = [], 0

    def step(self, n):
        if self.todo and n >= self.first and self.outstanding < self.axi['outstanding'] \
                and self.reserved + self.todo[0] <= self.room and self.port.ar.room(n):
            beats = self.todo.popleft()
            self.port.ar.push(n, (beats, None))
            self.outstanding += 1
            self.reserved += beats
        if self.stream and len(self.fifo) >= self.stream[0][0] and self.fifo[self.stream[0][0] - 1] <= n:
            _, used = self.stream.popleft()
            self.reserved -= used - self.used
            self.used = used
            if not self.stream:
                self.idle = n + 1
        if self.port.r.has(n):
            self.fifo.append(n + self.dma['mm2s_stream'])
            self.outstanding -= self.port.r.pop(n)[1]


class Output:
    """"DMA and DDR", S2MM and the output writer: a transfer for each row of each group of a tile."""

    def __init__(self, c, tiles, port):
        self.tiles, self.port, self.dma, self.axi = tiles, port, c['dma'], c['axi']
        self.word = c['array']['output_channels']
        self.beat = self.axi['data_bits'] // 8
        self.words, self.axis = Stream(), Stream()
        self.reader, self.packer = Pipe(2, self.words), Pipe(1, self.axis)
        self.rows, self.next, self.reading, self.packed = deque(), 0, 0, 0
        self.bursts, self.got, self.ready, self.beats, self.responses = deque(), 0, deque(), 0, 0
        self.sent, self.unanswered = 0, 0
        self.pop_from = float('inf')
        self.ended = 0                 # edge at which the last transfer's interrupt has been cleared

    def quiet(self):
        return not (self.rows or self.tiles.items)

    def step(self, n):
        if not self.rows and self.tiles.has(n):
            self.rows.extend(self.tiles.pop(n))
            self.next = n + 1
        if self.rows and n == self.next:       # destination pushed at n, LENGTH at n + 2, acting at n + 3
            address, size = self.rows[0]
            self.read_from, self.reading, self.left = n + 4, ceil_div(size, self.word), size
            self.pop_from, self.got, self.sent = n + 3 + self.dma['s2mm_start'], address % self.beat, 0
            end = address % self.beat
            for beats in bursts(address, size, self.beat, self.axi['burst_beats']):
                end += beats * self.beat - (end % self.beat)
                self.bursts.append((min(end, address % self.beat + size), beats))
            self.responses = len(self.bursts)
        if self.reader.advance(n) and self.reading and n >= self.read_from:
            self.reading -= 1
            self.reader.enter(self.reading == 0)
        if self.packer.advance(n) and self.words.has(n):
            self.packed += self.word
            last = self.words.pop(n)
            if self.packed == self.beat or last:
                self.packer.enter(self.packed)
                self.packed = 0
        if self.ready and self.ready[0][0] <= n and self.unanswered < self.axi['outstanding'] and self.port.aw.room(n):
            self.port.aw.push(n, (self.ready[0][1], None))
            self.beats += self.ready.popleft()[1]
            self.unanswered += 1
        fifo = 2 * self.axi['burst_beats'] * self.beat
        if n >= self.pop_from and self.axis.has(n) and self.got + self.beat <= self.sent * self.beat + fifo:
            self.got += self.axis.pop(n)
            while self.bursts and self.got >= self.bursts[0][0]:
                self.ready.append((n + self.dma['s2mm_store'], self.bursts.popleft()[1]))
        if self.beats and self.port.w.room(n):
            self.port.w.push(n, None)
            self.beats -= 1
            self.sent += 1
        if self.port.b.has(n):
            self.port.b.pop(n)
            self.responses -= 1
            self.unanswered -= 1
            if self.responses == 0:            # done pushed at n, the interrupt cleared at n + 3
                self.rows.popleft()
                self.next, self.pop_from = n + 5, float('inf')
                self.ended = n + 4


class Machine:
    def __init__(self, c):
        self.c, self.core, self.port = c, Core(c), Port()
        self.core.co_bytes = c['array']['output_channels']
        self.memory = FixedMemory(c['ddr'], [self.port], c['axi']['data_bits'])
        self.mm2s = Mm2s(c, self.port)
        self.output = Output(c, self.core.tiles, self.port)
        self.edge, self.now, self.spans = 0, 0, []

    def quiet(self):
        core = self.core.visible is not None and not self.core.pending
        return core and self.memory.quiet() and not self.mm2s.stream and self.output.quiet()

    def run_to(self, n):
        while self.edge < n:
            self.edge = n if self.quiet() else self.edge + 1
            self.core.step(self.edge), self.mm2s.step(self.edge), self.output.step(self.edge), self.memory.step(self.edge)

    def write(self, action=None):
        """"Host": acts one edge before it returns."""
        acts = self.now + self.c['host']['register_write'] + 1
        self.now = acts + 1
        if action:
            self.run_to(acts)
            action(acts)

    def transfer(self, address, size):
        host, begin = self.c['host'], self.now
        self.now += host['dma_setup']
        self.write(), self.write()
        self.write(lambda edge: self.mm2s.start(edge, address, size))
        while True:
            self.now += host['register_read'] + 2
            self.run_to(self.now - 1)
            if self.mm2s.idle is not None and self.mm2s.idle <= self.now - 1:
                break
        self.spans.append((begin, self.mm2s.idle - 1, 'dma_setup'))

    def interrupt(self, visible, bucket):
        while visible() is None:
            if self.edge > self.now + 10**6:
                raise Stuck('no interrupt')
            self.run_to(self.edge + 1)
        self.spans.append((self.now, visible(), bucket))
        self.now = max(self.now, visible()) + self.c['host']['interrupt']

    def start(self, job):
        def act(edge):
            self.core.visible = None
            self.core.jobs.push(edge, job)
        self.write(act)

    def run(self, plan):
        """"Host": a layer's steps; its cycles."""
        self.core.visible = 0
        self.now = self.c['host']['layer_setup']
        jobs = plan.jobs
        self.transfer(jobs[0].address, jobs[0].size)
        self.transfer(0, plan.groups * plan.co * 4)
        self.transfer(0, plan.sets * plan.set_bytes)
        for _ in range(1 + 16 + 3):
            self.write()
        for i, job in enumerate(jobs):
            if i:
                before = jobs[i - 1].registers
                for key, value in job.registers.items():
                    if before[key] != value:
                        self.write()
            self.start(job)
            if i + 1 < len(jobs):
                self.transfer(jobs[i + 1].address, jobs[i + 1].size)
            self.interrupt(lambda: self.core.visible, 'idle')
        self.interrupt(lambda: self.output.ended if self.output.quiet() and not self.core.pending else None, 'drain')
        return self.now

    def buckets(self):
        """"Where the cycles go": of each edge the first that holds. A transfer's, from its setup until MM2S is seen idle, and the
        waits for its data are told together."""
        edges = ['host'] * self.now
        for first, end, bucket in self.spans:
            edges[first:end] = [bucket] * max(0, end - first)
        for n, bucket in self.core.did.items():
            edges[n] = bucket
        return dict(Counter(edges))


def by_the_book(c, network):
    """Returns the cycles of each layer of a chain, 0 for a pooling fused into its convolution."""
    shape, layers, cycles = tuple(network['input']['shape']), network['layers'], {}
    at = 0
    while at < len(layers):
        layer, pool = layers[at], None
        if layer['type'] == 'conv' and at + 1 < len(layers) and layers[at + 1]['type'] == 'maxpool':
            at += 1
            pool = layers[at]
            cycles[pool['name']] = 0, {}
        at += 1
        reader = layers[at] if at < len(layers) else {}
        border = (1, 1, 0)
        if reader.get('type') == 'conv':
            border = (reader['kernel'], reader.get('stride', 1), reader.get('padding', 0))
        plan = Plan(c, layer, shape, pool, border)
        machine = Machine(c)
        cycles[layer['name']] = machine.run(plan), machine.buckets()
        shape = plan.out
    return cycles
