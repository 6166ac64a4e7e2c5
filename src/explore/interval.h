// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <limits>

namespace fansim::explore {

// Holds the range of values that a quantity may have: low <= value <= high.
struct Interval {
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  double low = -kInfinity;
  double high = kInfinity;

  static Interval of(double value) { return {value, value}; }
  static Interval at_least(double value) { return {value, kInfinity}; }
  bool contains(double value) const { return low <= value && value <= high; }
  bool fixed() const { return low == high; }
};

inline bool operator==(const Interval& a, const Interval& b) { return a.low == b.low && a.high == b.high; }

inline Interval operator+(const Interval& a, const Interval& b) { return {a.low + b.low, a.high + b.high}; }
inline Interval operator-(const Interval& a) { return {-a.high, -a.low}; }
inline Interval operator-(const Interval& a, const Interval& b) { return a + -b; }
Interval operator*(const Interval& a, const Interval& b);
Interval operator/(const Interval& a, const Interval& b);

}  // namespace fansim::explore
