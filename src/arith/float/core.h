// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "arith/float/format.h"

// The operations of docs/float.md on words. They have no branches that depend on data, because array loops are made of
// them.
namespace fansim::arith::float_core {

__extension__ using Wide = unsigned __int128;

template <class T>
constexpr int kBits = static_cast<int>(sizeof(T)) * 8;

inline int leading_zeros(std::uint64_t v) { return v == 0 ? 64 : __builtin_clzll(v); }
inline int leading_zeros(Wide v) {
  const auto high = static_cast<std::uint64_t>(v >> 64);
  return high != 0 ? leading_zeros(high) : 64 + leading_zeros(static_cast<std::uint64_t>(v));
}

// Returns whether 64 bits hold a sum of aligned significands, which has two bits more than twice a significand.
constexpr bool fits_64(const FloatFormat& format) { return 2 * format.significand_bits() + 2 <= 64; }

inline std::uint64_t significand(std::uint64_t word, const FloatFormat& f) {
  return (word & (f.hidden_one() - 1)) | f.hidden_one();
}
inline int exponent(std::uint64_t word, const FloatFormat& f) {
  return static_cast<int>(word >> f.mantissa_bits) & f.max_exponent();
}
inline bool is_zero(std::uint64_t word, const FloatFormat& f) { return exponent(word, f) == 0; }

// Rounds a number and returns its word, or 0 for zero. The leading one of the significand is the highest bit of
// `normal`, which holds every bit that rounding looks at. Rounding may carry into the exponent, so underflow and
// saturation are judged after it.
template <class T>
std::uint64_t finish(std::uint64_t sign, int exponent, T normal, const FloatFormat& f, FloatRounding rounding,
                     FloatEvents& events) {
  const int dropped = kBits<T> - f.significand_bits();
  const auto kept = static_cast<std::uint64_t>(normal >> dropped);
  const T rest = normal << f.significand_bits();
  const T half = T{1} << (kBits<T> - 1);
  const bool up = rounding == FloatRounding::nearest_even && (rest > half || (rest == half && (kept & 1) != 0));
  const auto clamped = static_cast<std::uint64_t>(std::clamp(exponent, 0, f.max_exponent() + 1));
  const std::uint64_t magnitude = (clamped << f.mantissa_bits) + (kept - f.hidden_one()) + up;
  const bool nonzero = normal != 0;
  const bool under = nonzero && (exponent < 0 || magnitude < f.hidden_one());
  const bool over = nonzero && magnitude > f.max_magnitude();
  events.underflows += under;
  events.saturations += over;
  return nonzero && !under ? std::min(magnitude, f.max_magnitude()) | sign : 0;
}

template <class T>
std::uint64_t add(std::uint64_t a, std::uint64_t b, const FloatFormat& f, FloatRounding rounding, FloatEvents& events) {
  const std::uint64_t magnitude_a = a & f.max_magnitude(), magnitude_b = b & f.max_magnitude();
  const std::uint64_t large = magnitude_a < magnitude_b ? b : a;
  const std::uint64_t small = magnitude_a < magnitude_b ? a : b;
  const int exponent_large = exponent(large, f), distance = exponent_large - exponent(small, f);
  // Significands get twice their width and one sticky bit below, which stands for all bits that alignment shifts out.
  // Truncation needs no sticky bit.
  const int width = f.significand_bits();
  const T wide_large = is_zero(large, f) ? T{0} : static_cast<T>(significand(large, f)) << (width + 1);
  const T wide_small = is_zero(small, f) ? T{0} : static_cast<T>(significand(small, f)) << (width + 1);
  const int shift = std::min(distance, kBits<T> - 1);
  const T shifted = wide_small >> shift;
  const T lost = shifted << shift ^ wide_small;
  const bool sticky = rounding == FloatRounding::nearest_even && (lost != 0 || (shifted & 1) != 0);
  const T aligned = (shifted & ~T{1}) | static_cast<T>(sticky);
  const bool subtracts = ((a ^ b) & f.sign_mask()) != 0;
  const T sum = subtracts ? wide_large - aligned : wide_large + aligned;
  const int zeros = leading_zeros(sum);
  const int above = kBits<T> - 1 - 2 * width;  // leading zeros of a sum with the larger operand's exponent
  return finish<T>(large & f.sign_mask(), exponent_large + above - zeros, sum == 0 ? T{0} : sum << zeros, f, rounding,
                   events);
}

template <class T>
std::uint64_t multiply(std::uint64_t a, std::uint64_t b, const FloatFormat& f, FloatRounding rounding,
                       FloatEvents& events) {
  const bool zero = is_zero(a, f) || is_zero(b, f);
  const T product = static_cast<T>(significand(a, f)) * significand(b, f);
  const int top = 2 * f.significand_bits() - 1;
  const bool two = (product >> top & 1) != 0;  // the product is in [2, 4)
  const T normal = zero ? T{0} : product << (kBits<T> - 1 - top + !two);
  return finish<T>((a ^ b) & f.sign_mask(), exponent(a, f) + exponent(b, f) - f.bias() + two, normal, f, rounding,
                   events);
}

inline std::uint64_t convert(std::uint64_t word, const FloatFormat& from, const FloatFormat& to, FloatRounding rounding,
                             FloatEvents& events) {
  const std::uint64_t normal = is_zero(word, from) ? 0 : significand(word, from) << (64 - from.significand_bits());
  const std::uint64_t sign = (word & from.sign_mask()) != 0 ? to.sign_mask() : 0;
  return finish<std::uint64_t>(sign, exponent(word, from) - from.bias() + to.bias(), normal, to, rounding, events);
}

}  // namespace fansim::arith::float_core
