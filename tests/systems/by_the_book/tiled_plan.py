# SPDX-License-Identifier: Apache-2.0
"""A layer's tiles on the tiled machine: docs/timing.md, "Tiles of the tiled machine", and docs/tiled.md."""
from dataclasses import dataclass

from edges import Uncovered, ceil_div, ceil_log2, closed_by, merged, out_size


@dataclass
class Tile:
    inputs: list          # runs (address, bytes)
    weights: tuple        # a run
    first: bool           # the first of its outputs
    last: bool            # its sums are the outputs
    post: int = 0         # edges of post-processing
    outputs: list = ()    # runs


def placed(channel, values, group):
    """docs/tiled.md, "Writing": a convolution's input lies in groups of its engine's tn channels, each from 64 bytes on."""
    return channel // group * ceil_div(group * values, 64) * 64 + channel % group * values


class Plan:
    """The nest of docs/tiled.md: output-channel tiles, input-channel tiles; each loads its inputs and its weights."""

    def __init__(self, c, layer, shape, of_input, pool=None, reader=None):
        channels, height, width = shape
        fc = layer['type'] == 'fc'
        name = 'fc' if fc else 'first' if of_input and channels <= c['first']['tn'] else 'conv'
        self.engine, self.fc = c[name], fc
        tm, tn = self.engine['tm'], self.engine['tn']
        if not tm:
            raise Uncovered('engine')
        if self.engine['macs'] == 'int8_chain' or c['store']['code_table'] or c['load']['order'] != 'serial':
            raise Uncovered('keys')
        lanes, word = c['store']['lanes'], c['load']['weight_bits'] // 8
        filters = layer['units'] if fc else layer['filters']
        self.tree, self.parameters = ceil_log2(tn), filters * 8
        self.tiles = []
        if fc:
            steps, groups = ceil_div(channels * height * width, tn), ceil_div(filters, tm)
            self.words, self.steps, self.points, self.out = 1, steps * groups, 1, (filters, 1, 1)
            self.entries = groups
            size = ceil_div(steps * groups * tm * tn, word) * word
            if size > c['weights']['fc_kib'] * 1024 or steps > self.engine['input_words'] or groups > self.engine['output_words']:
                raise Uncovered('tiles')
            tile = Tile([(0, channels * height * width)], (0, size), True, True)
            tile.post, tile.outputs = groups * ceil_div(min(tm, filters), lanes), [(0, filters)]
            self.tiles = [tile]
            return
        kernel, stride, pad = layer['kernel'], layer.get('stride', 1), layer.get('padding', 0)
        rows, columns = out_size(height, kernel, stride, pad, pad), out_size(width, kernel, stride, pad, pad)
        pk, ps, pp = (pool['kernel'], pool.get('stride', pool['kernel']), pool.get('padding', 0)) if pool else (1, 1, 0)
        self.out = (filters, out_size(rows, pk, ps, pp, pp), out_size(columns, pk, ps, pp, pp))
        if pool:                       # sums that no window needs are not computed
            rows, columns = min(rows, (self.out[1] - 1) * ps + pk - pp), min(columns, (self.out[2] - 1) * ps + pk - pp)
        high, wide = (max(1, min(size, (n - 1) * stride + kernel - pad)) for size, n in ((height, rows), (width, columns)))
        self.words, self.steps, self.points = tn * ceil_div(tm, word), kernel * kernel, rows * columns
        self.entries = self.points
        if high * wide > self.engine['input_words'] or self.points > self.engine['output_words'] \
                or self.words * word * self.steps > c['weights']['kib'] * 1024 \
                or self.out[1] * self.out[2] > c['store']['words'] // ceil_div(tm, lanes):
            raise Uncovered('tiles')
        entry = sum(max(1, closed_by(x, columns, pk, ps, pp) * max(1, closed_by(y, rows, pk, ps, pp)))
                    for y in range(rows) for x in range(columns))
        size, outputs = self.words * word * self.steps, self.out[1] * self.out[2]
        inputs = range(0, channels, tn)
        for o in range(0, filters, tm):
            here = min(tm, filters - o)
            for i in inputs:
                runs = merged([(placed(ch, height * width, tn) + y * width, wide)
                               for ch in range(i, min(i + tn, channels)) for y in range(high)])
                tile = Tile(runs, (len(self.tiles) * size, size), i == 0, i == inputs[-1])
                if tile.last:
                    tile.post = entry * ceil_div(here, lanes)
                    group = reader or filters
                    groups = [range(max(o, g), min(o + here, g + group)) for g in range(o // group * group, o + here, group)]
                    tile.outputs = [run for g in groups for run in merged([(placed(ch, outputs, group), outputs) for ch in g])]
                self.tiles.append(tile)
