// SPDX-License-Identifier: Apache-2.0
#pragma once

// This file estimates floating-point operators in standard cells from the structure of each (docs/float.md, "What the
// operators cost in cells"). Ratios between them are predictions; nothing is fitted.
namespace fansim::estimate {

// These are gate equivalents: areas in two-input NANDs of a typical library (the relative areas of its data book,
// assumed). There is no other table of them: scripts/gates.py reads the names between the two marks.
namespace cells {
// begin of areas
constexpr double kNot = 0.67, kNand = 1, kNor = 1, kAnd = 1.33, kXor = 2.33, kXnor = 2.33, kMux = 2.33, kNmux = 2;
constexpr double kAoi3 = 1.33, kOai3 = 1.33, kAoi4 = 1.67, kOai4 = 1.67, kFlipFlop = 5.67;
// end of areas
constexpr double kHalfAdder = 3.67, kFullAdder = 6.67;
// In each cycle the clock switches two inverters of a flip-flop, up and down.
constexpr double kClocked = 4 * kNot;
// Delays are in units of a full adder's carry delay: its sum, a half adder, a multiplexer, an AND.
constexpr double kCarryDelay = 1, kSumDelay = 1.2, kMuxDelay = 0.6, kAndDelay = 0.4;
}  // namespace cells

struct OperatorCells {
  double gates = 0;    // gate equivalents, without registers
  double delay = 0;    // the longest path through the operator, in carry delays of a full adder
  double toggles = 0;  // gate equivalents that switch per result; gates that are used repeatedly count each time

  OperatorCells& operator+=(const OperatorCells& other);
};

// The significands have p bits, the exponents e bits.
OperatorCells float_adder(int e, int p);
OperatorCells float_multiplier(int e, int p);  // Dadda's reduction, followed by a ripple-carry adder
// Has a row of subtractors and multiplexers for each of the p + 1 bits of the quotient.
OperatorCells float_array_divider(int e, int p);
// Has a table of initial reciprocals and three multipliers of `fraction` + 1 bits, two of which are used in every
// iteration. It is the publication's unit, which is not pipelined; registers hold the intermediate values.
OperatorCells float_reciprocal_divider(int e, int p, int fraction, int seed_bits, int iterations);

// Counts the full and half adders of Dadda's reduction of n x n partial products to two rows, and its levels.
struct Dadda {
  int full_adders = 0, half_adders = 0, levels = 0;
};
Dadda dadda(int n);

}  // namespace fansim::estimate
