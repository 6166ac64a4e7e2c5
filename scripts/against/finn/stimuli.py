# SPDX-License-Identifier: Apache-2.0
"""Cells of ../finn.py, and rows of pins for them: drawn, written, read."""
import collections
import itertools
import random

SUM_BITS = 24
# The fields are: bits of weights and activations; dot products; the length of their beat; int or uint activations; the
# least weight; terms and shift of our chains (0: there are none of four bits); and what is drawn.
Cell = collections.namedtuple("Cell", "bits pe simd signed lowest terms shift drawn")
CELLS = {
    "products_u8": Cell(8, 2, 1, 0, -128, 1, 18, "products"),
    "products_s8": Cell(8, 2, 1, 1, -128, 1, 18, "products"),
    "u8_2x1": Cell(8, 2, 1, 0, -128, 1, 18, "sums"),
    "u8_2x4": Cell(8, 2, 4, 0, -128, 4, 18, "sums"),
    "u8_1x4": Cell(8, 1, 4, 0, -128, 4, 18, "sums"),
    "u8_3x4": Cell(8, 3, 4, 0, -128, 4, 18, "sums"),
    "u8_8x8": Cell(8, 8, 8, 0, -128, 4, 18, "sums"),
    "u8_2x8_symmetric": Cell(8, 2, 8, 0, -127, 8, 19, "sums"),
    "s8_2x7": Cell(8, 2, 7, 1, -128, 7, 18, "sums"),
    "s8_2x8_symmetric": Cell(8, 2, 8, 1, -127, 8, 18, "sums"),
    "starved_u8_2x4": Cell(8, 2, 4, 0, -128, 4, 18, "starved"),  # `zero` while nothing is enabled
    "overflow_u8_2x4": Cell(8, 2, 4, 0, -128, 4, 18, "overflow"),  # dot product 0 exceeds its 24 bits
    "products_u4": Cell(4, 4, 1, 0, -8, 0, 0, "products"),
    "products_s4": Cell(4, 4, 1, 1, -8, 0, 0, "products"),
    "u4_4x4": Cell(4, 4, 4, 0, -8, 0, 0, "sums"),
    "u4_3x4": Cell(4, 3, 4, 0, -8, 0, 0, "sums"),
}
Row = collections.namedtuple("Row", "rst en last zero weights activations")


def packed(words, bits):
    return sum((word & (1 << bits) - 1) << bits * i for i, word in enumerate(words))


def unpacked(word, bits, count, signed):
    half = 1 << bits - 1 if signed else 0
    return [((word >> bits * i & (1 << bits) - 1) ^ half) - half for i in range(count)]


class Operands:
    """Draws weights and activations of a cell; many are the ends of their ranges."""

    def __init__(self, draw, cell):
        highest = (1 << cell.bits - 1) - 1
        self.draw, self.cell = draw, cell
        self.weight_range = range(cell.lowest, highest + 1)
        self.activation_range = range(-highest - 1, highest + 1) if cell.signed else range(1 << cell.bits)

    def one(self, values):
        if self.draw.random() < 0.3:
            return self.draw.choice([values[0], values[-1], 0])
        return self.draw.choice(values)

    def beat(self):
        weights = [self.one(self.weight_range) for _ in range(self.cell.pe * self.cell.simd)]
        return weights, [self.one(self.activation_range) for _ in range(self.cell.simd)]

    def largest_sum(self):
        return self.cell.simd * max(abs(w * a) for w in (self.weight_range[0], self.weight_range[-1])
                                    for a in (self.activation_range[0], self.activation_range[-1]))


def products(operands):
    """Returns single products: all with 4 bits; with 8 bits all of each lane beside some of the other lane."""
    cell = operands.cell
    if cell.bits == 4:
        beats = itertools.product(operands.activation_range, *[operands.weight_range] * cell.pe)
    else:
        others = [operands.weight_range[0], -1, 0, 1, operands.weight_range[-1]]
        beats = ((a, *((w, other) if lane else (other, w))) for lane in (0, 1) for other in others
                 for a in operands.activation_range for w in operands.weight_range)
    for a, *weights in beats:
        yield Row(0, 1, 1, 0, weights, [a])
    for _ in range(16):  # until the last sum has left
        yield Row(0, 1, 0, 1, [], [])


def sums(operands, count):
    """Returns dot products of a few beats that stay within their bits, with stalls, empty beats and resets."""
    draw, cell = operands.draw, operands.cell
    longest = ((1 << SUM_BITS - 1) - 1) // operands.largest_sum()
    left = 0
    for _ in range(count):
        en, rst = int(draw.random() < 0.8), int(draw.random() < 0.002)
        left = left or draw.randint(1, draw.choice([1, 4, min(longest, 60)]))
        zero = int(draw.random() < 0.15) if en or cell.drawn == "starved" else 0
        if rst or en:
            left = 0 if rst else left - 1
        yield Row(rst, en, int(en and not rst and left == 0), zero, *operands.beat())


def overflow(operands, count):
    """Makes dot product 0 fall as fast as possible, beyond twice its range; the others are random."""
    cell = operands.cell
    for i in range(count):
        weights, _ = operands.beat()
        weights[:cell.simd] = [cell.lowest] * cell.simd
        yield Row(0, 1, int(i % 256 == 255), 0, weights, [operands.activation_range[-1]] * cell.simd)


def draw_rows(folder, seed, count):
    for name, cell in CELLS.items():
        operands = Operands(random.Random(f"{seed} {name}"), cell)
        rows = {"products": lambda: products(operands), "overflow": lambda: overflow(operands, count)}.get(
            cell.drawn, lambda: sums(operands, count))()
        with open(folder / f"{name}.rows", "w") as file:
            for row in itertools.chain([Row(1, 0, 0, 0, [], [])] * 3, rows):
                file.write(f"{row.rst}{row.en}{row.last}{row.zero} {packed(row.weights, cell.bits):x} "
                           f"{packed(row.activations, cell.bits):x}\n")


def read_rows(path, cell):
    for line in open(path):
        flags, weights, activations = line.split()
        yield Row(*map(int, flags), unpacked(int(weights, 16), cell.bits, cell.pe * cell.simd, True),
                  unpacked(int(activations, 16), cell.bits, cell.simd, cell.signed))
