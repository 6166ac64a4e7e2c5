# SPDX-License-Identifier: Apache-2.0
"""What both machines of docs/timing.md are made of: streams, pipes and the fixed memory. Section names are that page's."""
from collections import deque
from fractions import Fraction


class Uncovered(Exception):
    """Thrown at what this calculator does not derive."""


class Stuck(Exception):
    """Thrown when edges have no end, because a rule is missing."""


class Stream:
    """"Streams": two entries; what is pushed at n can be popped from n + 1 on, room freed at n is there from n + 1 on."""

    def __init__(self):
        self.items, self.pushed, self.popped = deque(), -1, -1

    def has(self, n):
        return bool(self.items) and self.items[0][0] < n and self.popped < n

    def front(self):
        return self.items[0][1]

    def pop(self, n):
        self.popped = n
        return self.items.popleft()[1]

    def room(self, n):
        return self.pushed < n and len(self.items) + (self.popped == n) < 2

    def push(self, n, item):
        self.pushed = n
        self.items.append((n, item))


class Pipe:
    """"Streams", latency: popped at n, pushed at n + latency; a block that cannot push holds all its stages."""

    def __init__(self, latency, out):
        self.latency, self.out, self.stages, self.clock = latency, out, deque(), 0

    def advance(self, n):
        """False while held; what enters at n follows with enter()."""
        if self.stages and self.stages[0][0] <= self.clock:
            if not self.out.room(n):
                return False
            self.out.push(n, self.stages.popleft()[1])
        self.clock += 1
        return True

    def enter(self, item):
        self.stages.append((self.clock - 1 + self.latency, item))


class Port:
    """Holds the five channels of a port; read and write bursts are (beats, tag)."""

    def __init__(self):
        self.ar, self.r, self.aw, self.w, self.b = (Stream() for _ in range(5))


class FixedMemory:
    """"DMA and DDR", fidelity fixed: one burst of any port at a time; the oldest first, of one edge the first port's."""

    def __init__(self, ddr, ports, bits):
        self.ddr, self.ports = ddr, ports
        # "A part of the beats": the lane's beats that are the accelerator's, and what others are owed of an edge.
        self.pace = Fraction(str(ddr['share'])) * min(1, Fraction(ddr['data_bits'] or bits, bits))
        self.owed = Fraction(0)
        self.free = 0                  # first edge at which the bus is free
        self.last, self.end = None, 0  # direction of the last burst, edge behind its end
        self.due = ddr['refresh_interval'] or float('inf')
        self.heads = {}                # (write, port) -> (edge popped, beats, tag)
        self.chosen = None             # (first edge, write, port)
        self.data = deque()            # for granted reads: [edge of the next beat, beats left, port, tag]
        self.write = None              # [port, beats left] while their data are popped
        self.responses = deque()

    def quiet(self):
        return not (self.heads or self.data or self.write or self.responses)

    def refresh(self, n):
        while self.due <= n and not self.write:
            start = max(self.due, self.free)
            if start > n:
                return
            self.free = start + self.ddr['refresh_cycles']
            self.due += self.ddr['refresh_interval']

    def step(self, n):
        if self.responses and self.responses[0][0] <= n:
            self.responses.popleft()[1].b.push(n, None)
        if self.data and self.data[0][0] <= n:
            _, left, port, tag = self.data[0]
            port.r.push(n, (tag, left == 1))
            self.data[0][:2] = n + 1, left - 1
            if left == 1:
                self.data.popleft()
        if not self.chosen:
            self.refresh(n)
            if not self.write and n >= self.free:
                self.choose(n)
        if self.chosen and n >= self.chosen[0]:
            self.grant(n)
        if self.write and self.write[0].w.has(n):
            port, left = self.write
            port.w.pop(n)
            self.write[1] -= 1
            if left == 1:
                self.free = self.end = n + 1
                self.responses.append((n + self.ddr['write_latency'], port))
                self.write = None
        for port in self.ports:
            for write, stream in ((False, port.ar), (True, port.aw)):
                if (write, port) not in self.heads and stream.has(n):
                    self.heads[write, port] = (n, *stream.pop(n))

    def choose(self, n):
        """Once the bus is free; a refresh that is due before a change of direction is over waits for the burst chosen."""
        oldest = {}
        for (write, port), (edge, _, _) in self.heads.items():
            key = (edge, self.ports.index(port))
            if write not in oldest or key < oldest[write][0]:
                oldest[write] = (key, port)
        if oldest:
            write = next(iter(oldest)) if len(oldest) == 1 else not self.last
            turn = self.last is not None and write != self.last
            head = self.heads[write, oldest[write][1]]
            self.owed += head[1] * (1 / self.pace - 1)
            others = int(self.owed)
            self.owed -= others
            start = max(n, self.end + self.ddr['turnaround']) if turn else n
            self.chosen = (start + others, write, oldest[write][1])

    def grant(self, n):
        _, write, port = self.chosen
        self.chosen, self.last = None, write
        _, beats, tag = self.heads.pop((write, port))
        if write:
            self.write = [port, beats]
        else:
            self.data.append([n + self.ddr['read_latency'], beats, port, tag])
            self.free = self.end = n + beats


def bursts(address, size, beat, longest):
    """docs/axi.md, "Ports": whole aligned beats, at most the longest burst, never across 4 KiB."""
    first, last = address // beat, (address + size - 1) // beat
    while first <= last:
        n = min(longest, last - first + 1, 4096 // beat - first % (4096 // beat))
        yield n
        first += n


def out_size(size, kernel, stride, before, after):
    return (size + before + after - kernel) // stride + 1


def closed_by(x, size, kernel, stride, padding):
    """Returns the windows of a pooling whose last element within the map is x ("The core", pooling)."""
    count = out_size(size, kernel, stride, padding, padding)
    return sum(min(w * stride - padding + kernel - 1, size - 1) == x for w in range(count))


def merged(transfers):
    """Pieces (address, bytes) that follow each other in memory are one."""
    out = []
    for address, size in transfers:
        if out and sum(out[-1]) == address:
            out[-1] = (out[-1][0], out[-1][1] + size)
        else:
            out.append((address, size))
    return out


def ceil_log2(n):
    return (n - 1).bit_length()


def ceil_div(a, b):
    return -(-a // b)


def megahertz(value):
    return Fraction(str(value))
