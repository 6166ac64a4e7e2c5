// SPDX-License-Identifier: Apache-2.0
#pragma once

// Floating-point operators in standard cells, from the structure of each (docs/float.md, "What the operators cost in
// cells"): ratios between them are predictions, nothing is fitted.
namespace fansim::estimate {

// Gate equivalents: areas in two-input NANDs of a usual library (its data book's relative areas, assumed). The one
// table: scripts/gates.py reads the names between the two marks.
namespace cells {
// begin of areas
constexpr double kNot = 0.67, kNand = 1, kNor = 1, kAnd = 1.33, kXor = 2.33, kXnor = 2.33, kMux = 2.33, kNmux = 2;
constexpr double kAoi3 = 1.33, kOai3 = 1.33, kAoi4 = 1.67, kOai4 = 1.67, kFlipFlop = 5.67;
// end of areas
constexpr double kHalfAdder = 3.67, kFullAdder = 6.67;
// What the clock switches in a flip-flop in each cycle: two inverters, up and down.
constexpr double kClocked = 4 * kNot;
// Delays in those of a full adder's carry: its sum, a half adder, a multiplexer, an AND.
constexpr double kCarryDelay = 1, kSumDelay = 1.2, kMuxDelay = 0.6, kAndDelay = 0.4;
}  // namespace cells

struct OperatorCells {
  double gates = 0;    // gate equivalents, without registers
  double delay = 0;    // in a full adder's carries: the longest way through the operator
  double toggles = 0;  // gate equivalents that switch for a result: those that are used again count again

  OperatorCells& operator+=(const OperatorCells& other);
};

// Significands of p bits, exponents of e.
OperatorCells float_adder(int e, int p);
OperatorCells float_multiplier(int e, int p);  // Dadda's reduction, a ripple-carry adder behind it
// A row of subtractors and multiplexers for each of p + 1 bits of the quotient.
OperatorCells float_array_divider(int e, int p);
// A table of first reciprocals, and three multipliers of `fraction` + 1 bits, two of which go through every iteration
// (the publication's unit, which is not pipelined); registers hold what goes round.
OperatorCells float_reciprocal_divider(int e, int p, int fraction, int seed_bits, int iterations);

// Full and half adders of Dadda's reduction of n x n partial products to two rows, and its levels.
struct Dadda {
  int full_adders = 0, half_adders = 0, levels = 0;
};
Dadda dadda(int n);

}  // namespace fansim::estimate
