// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace fansim::base {

using Cycles = std::int64_t;
using Bytes = std::int64_t;

// Returns the smallest n with 2^n >= v, and 0 for v <= 1.
constexpr int ceil_log2(std::int64_t v) {
  int n = 0;
  while (n < 63 && (std::int64_t{1} << n) < v) ++n;
  return n;
}

// Requires a >= 0 and b > 0.
template <class T>
constexpr T ceil_div(T a, T b) {
  return (a + b - 1) / b;
}

// Returns the smallest multiple of b that is not below a.
template <class T>
constexpr T round_up(T a, T b) {
  return ceil_div(a, b) * b;
}

}  // namespace fansim::base
