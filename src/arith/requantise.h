// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arith/fixed.h"
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

// One output's quantisation: y = sat(zero_point + round_shift(sat(sum) * scale, shift)).
struct Requantise {
  int scale = 1;             // 1..32767
  int shift = 0;             // 0..31
  int zero_point = 0;        // a value of the output type
  bool is_unsigned = false;  // else two's complement
  int bits = 8;              // of the output type, 1..16
};

// The exact sum wrapped to the accumulator, saturated to the operand, scaled and shifted.
constexpr std::int64_t scaled(std::int64_t exact_sum, int scale, int shift, const QuantiserFormat& format) {
  const std::int64_t sum = saturate(wrap(exact_sum, format.accumulator_bits), format.operand_bits);
  return round_shift(sum * scale, shift, format.rounding);
}

// The output as a value of its type.
constexpr int requantise(std::int64_t exact_sum, const Requantise& q, const QuantiserFormat& format) {
  const std::int64_t v = q.zero_point + scaled(exact_sum, q.scale, q.shift, format);
  return static_cast<int>(q.is_unsigned ? saturate_unsigned(v, q.bits) : saturate(v, q.bits));
}

// The 16-bit result that recurrent layers read as Q3.12.
constexpr int requantise16(std::int64_t exact_sum, int scale, int shift, const QuantiserFormat& format) {
  return static_cast<int>(saturate(scaled(exact_sum, scale, shift, format), 16));
}

// True if the exact sum does not fit the accumulator.
constexpr bool overflows(std::int64_t exact_sum, const QuantiserFormat& format) {
  return wrap(exact_sum, format.accumulator_bits) != exact_sum;
}

}  // namespace fansim::arith
