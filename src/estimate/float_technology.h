// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "estimate/float_cells.h"

// This file holds the floating-point operators as gates that Yosys makes from their twins (tests/rtl/gates.csv;
// docs/float.md, "What the operators cost in cells"), and what a technology makes of these gates. Ratios between
// operators are predictions from the counts alone.
namespace fansim::estimate {

enum class FloatOperator { adder, multiplier, array_divider, reciprocal_divider };
const char* name(FloatOperator which);

struct FloatGates {
  FloatOperator which = FloatOperator::adder;
  int iterations = 0;  // iterations of the reciprocal, whose table has six index bits
  int exponent_bits = 0, mantissa_bits = 0;
  double gates = 0;                         // gate equivalents, without registers
  int registers = 0;                        // flip-flops of the twin's stages
  int levels = 0, stage_levels = 0;         // gates on the longest path: through all stages, through one
  double toggles = 0, through_toggles = 0;  // gate equivalents that switch per operation: with registers, without

  double area() const { return gates + registers * cells::kFlipFlop; }
  // Returns what switches per operation, if the operator starts one in every cycle.
  double switched() const { return toggles + clocked(); }
  // Returns what the clock switches in every cycle, with or without an operation, because no clock is gated.
  double clocked() const { return registers * cells::kClocked; }
};

// Returns the operators that were synthesised: truncation, formats of 16 to 32 bits.
const std::vector<FloatGates>& float_gates();
// Returns null if that format was not synthesised.
const FloatGates* find_float_gates(FloatOperator which, int exponent_bits, int mantissa_bits, int iterations = 0);

// Holds one number for each quantity, the same for every operator and width.
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
