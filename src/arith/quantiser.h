// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arith/rounding.h"
#include "base/effect.h"

namespace fansim::arith {

// Widths and rounding of an accelerator's accumulator and quantiser.
struct QuantiserFormat {
  int accumulator_bits = 32;
  int operand_bits = 32;
  Rounding rounding = Rounding::half_up;

  template <class V>
  void visit(V&& v) {
    v.field("accumulator_bits", accumulator_bits, 8, 48,
            {"width at which accumulation wraps, bits", base::Effect{base::Effect::Resources::shape, true, true}});
    v.field("operand_bits", operand_bits, 8, 48,
            {"width to which the sum saturates before it is scaled, bits",
             base::Effect{base::Effect::Resources::shape, true, true}});
    v.choice("rounding", rounding, {{Rounding::half_up, "half_up"}, {Rounding::truncate, "truncate"}},
             {"rounding of the scaled sum", base::Effect{base::Effect::Resources::shape, true, true}});
  }
};

// The requantisation of one output: y = sat(zero_point + round_shift(sat(sum) * scale, shift)).
struct Requantise {
  int scale = 1;             // 1..32767
  int shift = 0;             // 0..31
  int zero_point = 0;        // a value of the output type
  bool is_unsigned = false;  // otherwise two's complement
  int bits = 8;              // bits of the output type, 1..16
};

}  // namespace fansim::arith
