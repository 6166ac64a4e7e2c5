// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "arith/quantiser.h"
#include "arith/saturation.h"

// The arithmetic of the reference executor. Each step is as docs/networks.md defines it, in whole numbers and floor
// division. It shares no code with the engines' arithmetic (the room arith), so that an error there cannot hide itself.
namespace fansim::network {

constexpr std::int64_t power_of_two(int n) { return std::int64_t{1} << n; }

// Returns the greatest integer not above v / divisor; divisor > 0.
constexpr std::int64_t floor_divide(std::int64_t v, std::int64_t divisor) {
  return v / divisor - (v % divisor < 0 ? 1 : 0);
}

// Returns floor(v / 2^n); 0 <= n <= 62.
constexpr std::int64_t floor_shift(std::int64_t v, int n) {
  const std::int64_t sign = v < 0 ? -1 : 0;
  return ((v ^ sign) >> n) ^ sign;
}

// Returns floor(v / 2^n + 1/2) or floor(v / 2^n); |v| is below 2^61 - 2^n, and 0 <= n <= 60.
constexpr std::int64_t rounded_quotient(std::int64_t v, int n, arith::Rounding rounding = arith::Rounding::half_up) {
  return rounding == arith::Rounding::half_up ? floor_shift(2 * v + power_of_two(n), n + 1) : floor_shift(v, n);
}

// Returns the nearest value that `bits` bits of two's complement hold.
constexpr std::int64_t nearest_of(std::int64_t v, int bits) {
  return std::clamp(v, -power_of_two(bits - 1), power_of_two(bits - 1) - 1);
}

// Returns whether the sum does not fit the accumulator.
constexpr bool leaves_accumulator(std::int64_t sum, const arith::QuantiserFormat& format) {
  return nearest_of(sum, format.accumulator_bits) != sum;
}

// Returns the scaled sum. The accumulator holds it modulo 2^accumulator_bits, and the quantiser's operand saturates it.
constexpr std::int64_t scaled_sum(std::int64_t sum, int scale, int shift, const arith::QuantiserFormat& format) {
  const int bits = format.accumulator_bits;
  sum -= power_of_two(bits) * floor_shift(sum + power_of_two(bits - 1), bits);
  return rounded_quotient(nearest_of(sum, format.operand_bits) * scale, shift, format.rounding);
}

// Returns one output's value.
constexpr int quantised(std::int64_t sum, const arith::Requantise& q, const arith::QuantiserFormat& format) {
  const std::int64_t v = q.zero_point + scaled_sum(sum, q.scale, q.shift, format);
  return static_cast<int>(q.is_unsigned ? std::clamp<std::int64_t>(v, 0, power_of_two(q.bits) - 1)
                                        : nearest_of(v, q.bits));
}

// Adds to `seen` what a sum, which is below 2^62, does to the registers (docs/quantisation.md, "Saturation"). `relu`: a
// value below the zero point becomes the zero point.
void observe(std::int64_t sum, const arith::Requantise& q, const arith::QuantiserFormat& format, bool relu,
             arith::Saturation& seen);
// Does the same for a value that saturates at the ends of the output's type.
void observe_output(std::int64_t value, const arith::Requantise& q, bool relu, arith::Saturation& seen);

// Sets values[i] from sums[i], to which `bias` is added. Returns how many sums leave the accumulator.
std::int64_t quantise(const std::int64_t* sums, std::size_t count, std::int64_t bias, const arith::Requantise& q,
                      const arith::QuantiserFormat& format, std::int32_t* values);

// Takes a pre-activation x = pre / 2^12 of 16 bits and returns units of 2^-15: 32768 sigma(x), rounded half up and at
// most 32767, with x rounded down to a multiple of 1/256. It is 0 below -6 and 32767 above 6.
int sigmoid_of(int pre);
// Returns 2 sigma(2 x) - 1 with that sigma, where 2 x is saturated to 16 bits.
int tanh_of(int pre);

}  // namespace fansim::network
