// SPDX-License-Identifier: Apache-2.0
#include "explore/interval.h"

#include <cmath>

namespace fansim::explore {
namespace {

// Zero times anything is zero, even if the other side is unbounded.
double product(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }

}  // namespace

Interval operator*(const Interval& a, const Interval& b) {
  const auto [low, high] =
      std::minmax({product(a.low, b.low), product(a.low, b.high), product(a.high, b.low), product(a.high, b.high)});
  return {low, high};
}

// The quotient is taken corner by corner: a rounded quotient is monotone, a product with a rounded reciprocal is not.
Interval operator/(const Interval& a, const Interval& b) {
  const bool unbounded = std::isinf(a.low) || std::isinf(a.high);
  if ((b.low <= 0 && b.high >= 0) || (unbounded && (std::isinf(b.low) || std::isinf(b.high)))) return {};
  const auto [low, high] = std::minmax({a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high});
  return {low, high};
}

}  // namespace fansim::explore
