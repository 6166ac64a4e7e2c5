// SPDX-License-Identifier: Apache-2.0
#include "explore/interval.h"

namespace fansim::explore {
namespace {

// A value that is zero stays zero however large its partner may be.
double product(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }

}  // namespace

Interval operator*(const Interval& a, const Interval& b) {
  const auto [low, high] =
      std::minmax({product(a.low, b.low), product(a.low, b.high), product(a.high, b.low), product(a.high, b.high)});
  return {low, high};
}

Interval operator/(const Interval& a, const Interval& b) {
  if (b.low <= 0 && b.high >= 0) return {};
  return a * Interval{1 / b.high, 1 / b.low};
}

}  // namespace fansim::explore
