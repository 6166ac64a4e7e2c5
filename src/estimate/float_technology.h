// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "estimate/float_cells.h"

// Floating-point operators as Yosys makes gates of their twins (tests/rtl/gates.csv; docs/float.md, "What the operators
// cost in cells"), and what a technology makes of gates. Ratios between operators are predictions of the counts alone.
namespace fansim::estimate {

enum class FloatOperator { adder, multiplier, array_divider, reciprocal_divider };
const char* name(FloatOperator which);

struct FloatGates {
  FloatOperator which = FloatOperator::adder;
  int iterations = 0;  // of the reciprocal, whose table has six bits of index
  int exponent_bits = 0, mantissa_bits = 0;
  double gates = 0;                         // gate equivalents, without registers
  int registers = 0;                        // flip-flops of the twin's stages
  int levels = 0, stage_levels = 0;         // gates on the longest way: through all stages, through one
  double toggles = 0, through_toggles = 0;  // gate equivalents that switch in an operation: with registers, without

  double area() const { return gates + registers * cells::kFlipFlop; }
  // Of an operator that takes up an operation in each cycle.
  double switched() const { return toggles + clocked(); }
  // In a cycle, whether there is an operation or not: no clock is gated.
  double clocked() const { return registers * cells::kClocked; }
};

// Those that were synthesised: truncation, formats of 16 to 32 bits.
const std::vector<FloatGates>& float_gates();
// None: that format was not.
const FloatGates* find_float_gates(FloatOperator which, int exponent_bits, int mantissa_bits, int iterations = 0);

// One number for each quantity, the same for every operator and width.
struct FloatTechnology {
  const char *name, *area_source, *delay_source, *energy_source;
  double um2_per_gate, ps_per_level, fj_per_toggle;

  double area_um2(const FloatGates& op) const { return op.area() * um2_per_gate; }
  double delay_ns(const FloatGates& op) const { return op.levels * ps_per_level * 1e-3; }
  double energy_pj(double switched) const { return switched * fj_per_toggle * 1e-3; }
  double power_mw(const FloatGates& op, double clock_hz) const { return energy_pj(op.switched()) * clock_hz * 1e-9; }
};
const FloatTechnology& tsmc55();

}  // namespace fansim::estimate
