// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arith/fixed.h"
#include "arith/quantiser.h"
#include "arith/saturation.h"

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

// Returns how far a value lies outside two's complement of `bits` bits, 0 if it fits.
constexpr std::int64_t beyond(std::int64_t v, int bits) {
  return v - saturate(v, bits) < 0 ? saturate(v, bits) - v : v - saturate(v, bits);
}

// Counts a sum that the accumulator or the operand does not hold. `relu`: what lies below the zero point becomes it.
inline void count_registers(std::int64_t exact_sum, const Requantise& q, const QuantiserFormat& format, bool relu,
                            Saturation& seen) {
  const std::int64_t held = wrap(exact_sum, format.accumulator_bits);
  const std::int64_t operand = saturate(held, format.operand_bits);
  if (operand == exact_sum) return;
  if (held != exact_sum) seen.accumulator.add(beyond(exact_sum, format.accumulator_bits));
  if (operand != held) seen.operand.add(beyond(held, format.operand_bits));
  // A sum beyond 48 bits is beyond every output.
  const auto stored = [&](std::int64_t sum) {
    const std::int64_t v = q.zero_point + round_shift(sum * q.scale, q.shift, format.rounding);
    const std::int64_t end = q.is_unsigned ? saturate_unsigned(v, q.bits) : saturate(v, q.bits);
    return relu ? std::max<std::int64_t>(end, q.zero_point) : end;
  };
  seen.changed += stored(operand) != stored(saturate(exact_sum, 48));
}

// Counts all that requantising a sum does.
inline void count(std::int64_t exact_sum, const Requantise& q, const QuantiserFormat& format, bool relu,
                  Saturation& seen) {
  const std::int64_t v = q.zero_point + scaled(exact_sum, q.scale, q.shift, format);
  const std::int64_t past = q.is_unsigned ? v - saturate_unsigned(v, q.bits) : v - saturate(v, q.bits);
  if (past > 0 || (past < 0 && !relu)) seen.output.add(past < 0 ? -past : past);
  count_registers(exact_sum, q, format, relu, seen);
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
