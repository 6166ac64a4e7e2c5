# SPDX-License-Identifier: Apache-2.0
"""A layer's jobs on the streaming machine: docs/timing.md, "Jobs of the streaming machine"."""
from dataclasses import dataclass, field

from edges import Uncovered, ceil_div, closed_by, merged, out_size


@dataclass
class Pass:
    columns: int          # columns of each line
    first: int            # column that completes window 0
    stride: int
    windows: int
    parallel: int
    last_round: bool      # its sums are the outputs
    last: bool = False    # the last load of the job


@dataclass
class Job:
    address: int          # address of its lines in the input map
    size: int             # bytes of them
    registers: dict       # those that differ from job to job
    fills: list           # (words, passes behind it)
    pools: object         # columns and rows of windows closed at x: x -> (columns, rows, stored)
    tile: list = field(default_factory=list)   # (address, bytes) of each row of each group it stores; none: no tile
    dropped: int = 0      # rows in parallel beyond the map


def bordered(size, kernel, stride, padding):
    """Returns a map's rows or columns with their border, which behind the map is as wide as windows reach."""
    need = (out_size(size, kernel, stride, padding, padding) - 1) * stride + kernel
    return max(size + padding, need)


class Plan:
    """Returns a layer's transfers and jobs ("Jobs of the streaming machine")."""

    def __init__(self, c, layer, shape, pool=None, reader=(1, 1, 0)):
        array = c['array']
        self.ci, self.co = array['input_channels'], array['output_channels']
        self.rows, self.cols = array['rows'], array['cols']
        self.set_bytes = self.rows * self.cols * self.ci * self.co
        self.pool, self.reader, self.jobs = pool, reader, []
        if self.ci != self.co:
            raise Uncovered('planes of another width')
        channels, height, width = shape
        kind = layer['type']
        if kind == 'fc':
            self.fc(layer, ceil_div(channels, self.ci) * self.ci * height * width)
        else:
            self.map(layer, kind, channels, height, width)
        for array_key, used in (('weight_kib', self.sets * self.set_bytes), ('bias_kib', 8 * self.groups * self.co),
                                ('input_kib', max(j.size for j in self.jobs))):
            if used > c['buffers'][array_key] * 512:
                raise Uncovered(array_key)
        self.jobs[-1].last = True

    def fc(self, layer, inputs):
        block = self.rows * self.cols
        blocks, groups = ceil_div(inputs, block * self.ci), ceil_div(layer['units'], self.co)
        self.sets, self.groups, self.out = blocks * groups, groups, (layer['units'], 1, 1)
        fills = [(block, [Pass(self.cols, self.cols - 1, self.cols, 1, 1, b == blocks - 1) for _ in range(groups)])
                 for b in range(blocks)]
        fills[-1][1][-1].last = True
        self.jobs.append(Job(0, inputs, {'row': 0, 'weights': 0, 'bias': 0, 'output': 0}, fills,
                             lambda x: (1, 1, 1), [(0, groups * self.co)]))

    def map(self, layer, kind, channels, height, width):
        by_channel = kind != 'conv'    # "Poolings ... are convolutions with weights of one, channel by channel"
        pool = layer if kind == 'maxpool' else self.pool
        kernel, stride = layer['kernel'], layer.get('stride', layer['kernel'] if by_channel else 1)
        if kind == 'maxpool':
            kernel = stride = 1
        pad = layer.get('padding', 0) if kind == 'conv' else 0
        if by_channel and layer.get('padding', 0):
            raise Uncovered('padding of a pooling')
        rows, columns = out_size(height, kernel, stride, pad, pad), out_size(width, kernel, stride, pad, pad)
        if kind == 'maxpool':          # what no window needs is not read
            rows, columns = (size - (size - pool['kernel']) % pool.get('stride', pool['kernel']) for size in (height, width))
        inputs = ceil_div(channels, self.ci)
        outputs = inputs if by_channel else ceil_div(layer['filters'], self.co)
        self.groups = outputs
        row_blocks = [min(self.rows, kernel - r) for r in range(0, kernel, self.rows)]
        col_blocks = list(range(0, kernel, self.cols))
        rounds = len(row_blocks) * len(col_blocks)
        self.sets = rounds * inputs * (1 if by_channel else outputs)
        parallel = 1
        if kernel <= self.rows and not pool:
            parallel = min(self.rows // kernel, (self.rows - kernel) // stride + 1, rows)
        lines = min(kernel, self.rows) + (parallel - 1) * stride
        if parallel > 1:
            row_blocks = [lines]
        pk, ps, pp = (pool['kernel'], pool.get('stride', pool['kernel']), pool.get('padding', 0)) if pool else (1, 1, 0)
        out_rows, out_columns = out_size(rows, pk, ps, pp, pp), out_size(columns, pk, ps, pp, pp)
        self.out = (layer.get('filters', channels) if not by_channel else channels, out_rows, out_columns)
        rk, rs, rp = self.reader
        out_width, out_height = bordered(out_columns, rk, rs, rp), bordered(out_rows, rk, rs, rp)
        used = (columns - 1) * stride + kernel
        padded, deep = (bordered(size, kernel, stride, pad) for size in (width, height))
        planes = [(i, [i]) for i in range(inputs)] if by_channel else [(None, range(inputs))]
        for plane, groups_in in planes:
            stored = 0
            for y in range(0, rows, parallel):
                here = min(parallel, rows - y)
                closes = (lambda y=y: closed_by(y, rows, pk, ps, pp))() if pool else here
                for i in groups_in:
                    last_round = i == groups_in[-1]
                    group_out = [plane] if by_channel else range(outputs)
                    fills = [(block * used, [Pass(used, xb + min(self.cols, kernel - xb) - 1, stride, columns, parallel,
                                                  last_round and b == len(row_blocks) - 1 and xb == col_blocks[-1])
                                             for xb in col_blocks for _ in group_out])
                             for b, block in enumerate(row_blocks)]
                    fills[-1][1][-1].last = True
                    tile = merged([(((g * out_height + stored + r + rp) * out_width + rp) * self.co, out_columns * self.co)
                                   for r in range(closes) for g in group_out] if last_round else [])
                    fetched = (here - 1) * stride + kernel
                    pools = (lambda x, r=closes: (closed_by(x, columns, pk, ps, pp), r)) if pool else (lambda x: (1, 1))
                    registers = {'row': y, 'stored': closes, 'weights': i if by_channel else i * rounds * outputs,
                                 'bias': plane, 'output': (plane, stored)}
                    address = ((i * deep + y * stride) * padded) * self.ci
                    self.jobs.append(Job(address, fetched * padded * self.ci, registers, fills, pools, tile, parallel - here))
                stored += closes
