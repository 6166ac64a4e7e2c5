// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arith/fixed.h"
#include "arith/quantiser.h"

namespace fansim::arith {

// Wraps the exact sum to the accumulator, saturates it to the operand, scales and shifts it.
constexpr std::int64_t scaled(std::int64_t exact_sum, int scale, int shift, const QuantiserFormat& format) {
  const std::int64_t sum = saturate(wrap(exact_sum, format.accumulator_bits), format.operand_bits);
  return round_shift(sum * scale, shift, format.rounding);
}

// Returns the output as a value of its type.
constexpr int requantise(std::int64_t exact_sum, const Requantise& q, const QuantiserFormat& format) {
  const std::int64_t v = q.zero_point + scaled(exact_sum, q.scale, q.shift, format);
  return static_cast<int>(q.is_unsigned ? saturate_unsigned(v, q.bits) : saturate(v, q.bits));
}

// Returns the 16-bit result that recurrent layers read as Q3.12.
constexpr int requantise16(std::int64_t exact_sum, int scale, int shift, const QuantiserFormat& format) {
  return static_cast<int>(saturate(scaled(exact_sum, scale, shift, format), 16));
}

// Returns whether the exact sum does not fit the accumulator.
constexpr bool overflows(std::int64_t exact_sum, const QuantiserFormat& format) {
  return wrap(exact_sum, format.accumulator_bits) != exact_sum;
}

}  // namespace fansim::arith
