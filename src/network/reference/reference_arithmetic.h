// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "arith/formats/quantiser.h"

// What the reference executor computes with: each step as docs/networks.md defines it, in whole numbers and floor
// division. It shares no code with the engines' (the room arith), so that an error there cannot be judged by itself.
namespace fansim::network {

constexpr std::int64_t power_of_two(int n) { return std::int64_t{1} << n; }

// The greatest integer not above v / divisor; divisor > 0.
constexpr std::int64_t floor_divide(std::int64_t v, std::int64_t divisor) {
  return v / divisor - (v % divisor < 0 ? 1 : 0);
}

// floor(v / 2^n), 0 <= n <= 62.
constexpr std::int64_t floor_shift(std::int64_t v, int n) {
  const std::int64_t sign = v < 0 ? -1 : 0;
  return ((v ^ sign) >> n) ^ sign;
}

// floor(v / 2^n + 1/2), or floor(v / 2^n); |v| below 2^61 - 2^n, 0 <= n <= 60.
constexpr std::int64_t rounded_quotient(std::int64_t v, int n, arith::Rounding rounding = arith::Rounding::half_up) {
  return rounding == arith::Rounding::half_up ? floor_shift(2 * v + power_of_two(n), n + 1) : floor_shift(v, n);
}

// The nearest value that `bits` bits of two's complement hold.
constexpr std::int64_t nearest_of(std::int64_t v, int bits) {
  return std::clamp(v, -power_of_two(bits - 1), power_of_two(bits - 1) - 1);
}

// True if the sum does not fit the accumulator.
constexpr bool leaves_accumulator(std::int64_t sum, const arith::QuantiserFormat& format) {
  return nearest_of(sum, format.accumulator_bits) != sum;
}

// What the accumulator holds of a sum, modulo 2^accumulator_bits, as the quantiser's operand, scaled.
constexpr std::int64_t scaled_sum(std::int64_t sum, int scale, int shift, const arith::QuantiserFormat& format) {
  const int bits = format.accumulator_bits;
  sum -= power_of_two(bits) * floor_shift(sum + power_of_two(bits - 1), bits);
  return rounded_quotient(nearest_of(sum, format.operand_bits) * scale, shift, format.rounding);
}

// One output's value.
constexpr int quantised(std::int64_t sum, const arith::Requantise& q, const arith::QuantiserFormat& format) {
  const std::int64_t v = q.zero_point + scaled_sum(sum, q.scale, q.shift, format);
  return static_cast<int>(q.is_unsigned ? std::clamp<std::int64_t>(v, 0, power_of_two(q.bits) - 1)
                                        : nearest_of(v, q.bits));
}

// values[i] of sums[i], whose bias is `bias`; how many sums leave the accumulator.
std::int64_t quantise(const std::int64_t* sums, std::size_t count, std::int64_t bias, const arith::Requantise& q,
                      const arith::QuantiserFormat& format, std::int32_t* values);

// Of a pre-activation x = pre / 2^12, in 16 bits, a result in units of 2^-15.
// 32768 sigma, halves up and at most 32767, of x rounded down to a multiple of 1/256; 0 below -6, 32767 above 6.
int sigmoid_of(int pre);
// 2 sigma(2 x) - 1 by that sigma, 2 x saturated to 16 bits.
int tanh_of(int pre);

}  // namespace fansim::network
