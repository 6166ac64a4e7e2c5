// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "arith/rounding.h"

namespace fansim::arith {

// Clamps v to a signed integer of `bits` bits; 1 <= bits <= 63.
constexpr std::int64_t saturate(std::int64_t v, int bits) {
  const std::int64_t limit = std::int64_t{1} << (bits - 1);
  return std::clamp(v, -limit, limit - 1);
}

// Clamps v to an unsigned integer of `bits` bits; 1 <= bits <= 62.
constexpr std::int64_t saturate_unsigned(std::int64_t v, int bits) {
  return std::clamp<std::int64_t>(v, 0, (std::int64_t{1} << bits) - 1);
}

constexpr std::int64_t saturate_u8(std::int64_t v) { return saturate_unsigned(v, 8); }

// Reads the lowest `bits` bits as two's complement; 1 <= bits <= 63.
constexpr std::int64_t wrap(std::int64_t v, int bits) {
  const std::uint64_t sign = std::uint64_t{1} << (bits - 1);
  const std::uint64_t low = static_cast<std::uint64_t>(v) & (2 * sign - 1);
  return static_cast<std::int64_t>((low ^ sign) - sign);
}

// Returns v / 2^n, rounded to nearest (halves up) or toward minus infinity; 0 <= n <= 62.
constexpr std::int64_t round_shift(std::int64_t v, int n, Rounding rounding = Rounding::half_up) {
  if (n == 0) return v;
  const std::int64_t half = rounding == Rounding::half_up ? std::int64_t{1} << (n - 1) : 0;
  return (v + half) >> n;
}

}  // namespace fansim::arith
