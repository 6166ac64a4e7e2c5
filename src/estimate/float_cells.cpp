// SPDX-License-Identifier: Apache-2.0
#include "estimate/float_cells.h"

#include <algorithm>
#include <vector>

#include "base/units.h"

namespace fansim::estimate {
namespace {

using namespace cells;

OperatorCells ripple(int bits) { return {bits * kFullAdder, bits * kCarryDelay, bits * kFullAdder}; }

// Returns a shifter by any number of places: a multiplexer per bit and power of two.
OperatorCells shifter(int bits) {
  const int stages = base::ceil_log2(bits);
  return {bits * stages * kMux, stages * kMuxDelay, bits * stages * kMux};
}

// Returns the logic of exponents and their limits.
OperatorCells exponents(int e, int adders) {
  const double gates = adders * e * kFullAdder + 2 * e * kMux;
  return {gates, 0, gates};  // works beside the significands, and no longer than they do
}

OperatorCells multiply(int n) {
  const Dadda d = dadda(n);
  const double gates = n * n * kAnd + d.full_adders * kFullAdder + d.half_adders * kHalfAdder;
  OperatorCells cells{gates, kAndDelay + d.levels * kSumDelay, gates};
  return cells += ripple(2 * n - 2);
}

}  // namespace

OperatorCells& OperatorCells::operator+=(const OperatorCells& other) {
  gates += other.gates;
  delay += other.delay;
  toggles += other.toggles;
  return *this;
}

// Reduces the columns of the partial products stage by stage to the heights ..., 13, 9, 6, 4, 3, 2.
Dadda dadda(int n) {
  std::vector<int> heights{2};
  while (heights.back() < n) heights.push_back(heights.back() * 3 / 2);
  std::vector<int> column(static_cast<std::size_t>(2 * n + 1));
  for (int a = 0; a < n; ++a)
    for (int b = 0; b < n; ++b) ++column[static_cast<std::size_t>(a + b)];
  Dadda result;
  for (auto limit = heights.rbegin(); limit != heights.rend(); ++limit) {
    if (*limit >= n) continue;
    ++result.levels;
    for (std::size_t c = 0; c + 1 < column.size(); ++c)
      while (column[c] > *limit) {
        const bool half = column[c] == *limit + 1;
        ++(half ? result.half_adders : result.full_adders);
        column[c] -= half ? 1 : 2;
        ++column[c + 1];
      }
  }
  return result;
}

OperatorCells float_adder(int e, int p) {
  const int word = e + p;
  OperatorCells cells = ripple(word);                      // compares which is larger
  cells += {2 * word * kMux, kMuxDelay, 2 * word * kMux};  // swaps
  cells += shifter(2 * p);                                 // aligns
  cells += {2 * p * kXor, kAndDelay, 2 * p * kXor};
  cells += ripple(2 * p + 1);
  const double zeros = 2 * p * kAnd * base::ceil_log2(2 * p) / 2;
  cells += {zeros, base::ceil_log2(2 * p) * kMuxDelay, zeros};
  cells += shifter(2 * p);  // normalises
  return cells += exponents(e, 2);
}

OperatorCells float_multiplier(int e, int p) {
  OperatorCells cells = multiply(p);
  cells += {p * kMux, kMuxDelay, p * kMux};  // realigns
  return cells += exponents(e, 2);
}

// Each row waits for the sign of the row above, which ripples through all its bits.
OperatorCells float_array_divider(int e, int p) {
  const int rows = p + 1, width = p + 1;
  const double gates = rows * width * (kFullAdder + kMux);
  OperatorCells cells{gates, rows * (width * kCarryDelay + kMuxDelay), gates};
  cells += {p * kMux, kMuxDelay, p * kMux};
  return cells += exponents(e, 2);
}

OperatorCells float_reciprocal_divider(int e, int p, int fraction, int seed_bits, int iterations) {
  const int n = std::max(fraction + 1, p);
  const OperatorCells one = multiply(n);
  const double table = (1 << seed_bits) * (seed_bits + 2) * kAnd / 2;  // half of its bits are ones
  const double registers = 4 * n * kFlipFlop, complement = n * kXor;
  OperatorCells cells;
  cells.gates = 3 * one.gates + table + registers + complement + p * kMux;
  const int products = 2 * iterations + 1;
  cells.delay = seed_bits * kMuxDelay + products * one.delay + iterations * n * kCarryDelay + kMuxDelay;
  cells.toggles = products * (one.gates + registers / 2) + table + iterations * complement + p * kMux;
  return cells += exponents(e, 3);
}

}  // namespace fansim::estimate
