# SPDX-License-Identifier: Apache-2.0
"""The tiled machine's way to memory: docs/timing.md, "Interconnect and converters", docs/tiled.md, "Reading" and "Writing"."""
from collections import deque

from edges import Pipe, Stream, bursts


class Crossing:
    """"Interconnect and converters": popped at t, pushed at floor(t x f_dst / f_src) + sync_stages."""

    def __init__(self, c, ratio, source, target):
        self.stages, self.ratio, self.source, self.target = c['sync_stages'], ratio, source, target
        self.items, self.places = deque(), deque([0] * c['depth'])

    def take(self, t):
        if self.source.has(t) and self.places and self.places[0] <= t:
            self.places.popleft()
            self.items.append((int(t * self.ratio) + self.stages, self.source.pop(t)))

    def give(self, u):
        if self.items and self.items[0][0] <= u and self.target.room(u):
            self.target.push(u, self.items.popleft()[1])
            self.places.append(int(u / self.ratio) + self.stages)


class Converter:
    """"Interconnect and converters", width: bursts are (address, bytes) on both sides; data in beats of either width."""

    def __init__(self, near, far, narrow, wide, longest):
        self.near, self.far, self.narrow, self.wide, self.longest = near, far, narrow, wide, longest
        self.out_bursts = {'ar': deque(), 'aw': deque()}
        self.reads, self.read_ready = deque(), 0
        self.writes, self.write_ready, self.responses, self.response = deque(), 0, deque(), 0

    def request(self, n, name, data):
        near, far, out = getattr(self.near, name), getattr(self.far, name), self.out_bursts[name]
        if out and far.room(n):
            far.push(n, out.popleft())
        if not out and near.has(n):
            address, size = near.pop(n)
            parts, at = list(bursts(address, size, self.wide, self.longest)), address
            for beats in parts:
                end = min(address + size, (at // self.wide + beats) * self.wide)
                out.append((at, end - at, beats))
                at = end
            data.append([n, address, address + size])
            if name == 'aw':
                self.responses.append(len(parts))

    @staticmethod
    def counts(start, end, width, other):
        """Returns the beats of the other width that each beat completes."""
        done = start
        for at in range(start // width * width, end, width):
            upto = min(end, at + width)
            complete = [x for x in range(done // other * other + other, upto + other, other) if min(x, end) <= upto]
            yield len(complete)
            done = min(end, complete[-1]) if complete else done

    def step(self, n):
        self.move(n, self.far.r, self.near.r, self.reads, self.wide, self.narrow, 'read_ready', 0)
        self.move(n, self.near.w, self.far.w, self.writes, self.narrow, self.wide, 'write_ready', 1)
        self.request(n, 'ar', self.reads)
        self.request(n, 'aw', self.writes)
        if self.response and self.near.b.room(n):
            self.near.b.push(n, None)
            self.response -= 1
        if self.far.b.has(n):
            self.far.b.pop(n)
            self.responses[0] -= 1
            if self.responses[0] == 0:
                self.responses.popleft()
                self.response += 1

    def move(self, n, source, target, data, width, other, ready, behind):
        state = getattr(self, ready) or [0, None, False]
        if state[0] and target.room(n):
            state[0] -= 1
            target.push(n, state[0] == 0 and state[2])
        if state[0] == 0 and data and source.has(n) and n >= data[0][0] + behind:
            if state[1] is None:
                state[1] = deque(self.counts(data[0][1], data[0][2], width, other))
            source.pop(n)
            state[0] = state[1].popleft()
            state[2] = not state[1]
            if not state[1]:
                state[1] = None
                data.popleft()
        setattr(self, ready, state)


class Interconnect:
    """Popped at n, pushed on at n; one burst per edge and direction."""

    def __init__(self, managers, port):
        self.managers, self.port, self.turn, self.writing, self.written = managers, port, 0, deque(), deque()

    def step(self, n):
        for name in 'ar', 'aw':
            out = getattr(self.port, name)
            for k in range(len(self.managers)):
                i = (self.turn + 1 + k) % len(self.managers)
                source = getattr(self.managers[i], name)
                if source.has(n) and out.room(n):
                    _, _, beats = source.pop(n)
                    out.push(n, (beats, self.managers[i]))
                    self.turn = i
                    if name == 'aw':
                        self.writing.append([self.managers[i], beats])
                        self.written.append(self.managers[i])
                    break
        if self.port.r.has(n) and self.port.r.front()[0].r.room(n):
            manager, _ = self.port.r.pop(n)
            manager.r.push(n, None)
        if self.writing and self.writing[0][0].w.has(n) and self.port.w.room(n):
            self.writing[0][0].w.pop(n)
            self.port.w.push(n, None)
            self.writing[0][1] -= 1
            if not self.writing[0][1]:
                self.writing.popleft()
        if self.port.b.has(n) and self.written[0].b.room(n):
            self.port.b.pop(n)
            self.written.popleft().b.push(n, None)


class Reader:
    """docs/tiled.md, "Reading": a run's first burst at the edge that pops it; a beat goes on at the edge that pops it."""

    def __init__(self, c, width, longest, port, decoded):
        self.width, self.longest, self.port, self.decoded, self.c = width, longest, port, decoded, c
        self.runs, self.beats, self.todo, self.flying = Stream(), Stream(), deque(), deque()
        self.decoder_runs, self.decoding, self.after = Stream(), None, 0

    def ask(self, n, run):
        """A run goes to the reader and to the decoder, of which each has two more before it."""
        self.runs.push(n, run)
        self.decoder_runs.push(n, run)

    def step(self, n):
        if self.decoding is None and self.decoder_runs.has(n):
            (address, size), last = self.decoder_runs.pop(n)
            self.decoding = [(address + size - 1) // self.width - address // self.width + 1, last]
        if self.decoding and self.beats.has(n):      # a beat per edge
            self.beats.pop(n)
            self.decoding[0] -= 1
            if not self.decoding[0]:
                if self.decoding[1]:
                    self.decoded.push(n, None)
                self.decoding = None
        flying = len(self.flying)
        if self.flying and n >= self.after and self.port.r.has(n) and self.beats.room(n):
            self.port.r.pop(n)
            self.beats.push(n, None)
            self.flying[0] -= 1
            if not self.flying[0]:
                self.flying.popleft()
                self.after = n + 1 + self.c['load']['gap']
        if not self.todo and self.runs.has(n):
            (address, size), _ = self.runs.pop(n)
            at = address // self.width * self.width
            for beats in bursts(address, size, self.width, self.longest):
                self.todo.append((at, beats))
                at += beats * self.width
        if self.todo and flying < self.c['load']['outstanding'] and self.port.ar.room(n):
            at, beats = self.todo.popleft()
            self.port.ar.push(n, (at, beats * self.width))
            self.flying.append(beats)


class Writer:
    """docs/tiled.md, "Writing": encoder behind two registers; a burst once it is buffered whole, where two fit."""

    def __init__(self, c, port):
        self.c, self.port, self.width = c, port, c['store']['bits'] // 8
        self.runs, self.encoder_runs, self.beats, self.written = Stream(), Stream(), Stream(), Stream()
        self.encoder, self.reading = Pipe(2, self.beats), 0
        self.todo, self.flying, self.buffered, self.held, self.sending = deque(), deque(), 0, 0, 0

    def ask(self, n, run):
        self.runs.push(n, run)
        self.encoder_runs.push(n, run)

    def step(self, n):
        if not self.todo and self.runs.has(n):
            (address, size), ends = self.runs.pop(n)
            parts = list(bursts(address, size, self.width, self.c['store']['burst_beats']))
            at = address // self.width * self.width
            for i, beats in enumerate(parts):
                self.todo.append((at, beats, ends and i == len(parts) - 1))
                at += beats * self.width
        if self.todo and self.buffered >= self.todo[0][1] and len(self.flying) < self.c['store']['outstanding'] \
                and self.port.aw.room(n):
            at, beats, ends = self.todo.popleft()
            self.port.aw.push(n, (at, beats * self.width))
            self.flying.append(ends)
            self.buffered -= beats
            self.sending += beats
        if self.sending and self.port.w.room(n):
            self.port.w.push(n, None)
            self.sending -= 1
            self.held -= 1
        if self.beats.has(n) and self.held < 2 * self.c['store']['burst_beats']:
            self.beats.pop(n)
            self.buffered += 1
            self.held += 1
        if self.encoder.advance(n):
            if not self.reading and self.encoder_runs.has(n):
                (address, size), _ = self.encoder_runs.pop(n)
                self.reading = (address + size - 1) // self.width - address // self.width + 1
            if self.reading:
                self.reading -= 1
                self.encoder.enter(None)
        if self.port.b.has(n):
            self.port.b.pop(n)
            if self.flying.popleft():
                self.written.push(n, None)
