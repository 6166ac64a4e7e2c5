// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

namespace fansim::arith {

// Counts the values that a register of two's complement could not hold.
struct Beyond {
  std::int64_t count = 0;
  std::int64_t overshoot = 0;  // the largest distance from the nearer end of the range, in units of the register

  void add(std::int64_t distance, std::int64_t values = 1) {
    count += values;
    overshoot = std::max(overshoot, distance);
  }
  Beyond& operator+=(const Beyond& other) {
    add(other.overshoot, other.count);
    return *this;
  }
  friend bool operator==(const Beyond& a, const Beyond& b) { return a.count == b.count && a.overshoot == b.overshoot; }
};

// Counts what a layer's sums did to the registers of a quantiser (docs/quantisation.md, "Saturation").
struct Saturation {
  std::int64_t values = 0;   // sums that were requantised
  Beyond accumulator;        // sums that wrapped
  Beyond operand;            // wrapped sums that saturated before they were scaled
  Beyond output;             // results that saturated at the ends of the output's type, unless ReLU does the same
  std::int64_t changed = 0;  // outputs that a wider accumulator and operand would have made another

  Saturation& operator+=(const Saturation& other) {
    values += other.values;
    accumulator += other.accumulator;
    operand += other.operand;
    output += other.output;
    changed += other.changed;
    return *this;
  }
  friend bool operator==(const Saturation& a, const Saturation& b) {
    return a.values == b.values && a.accumulator == b.accumulator && a.operand == b.operand && a.output == b.output &&
           a.changed == b.changed;
  }
};

inline std::string text(const Saturation& seen) {
  const auto of = [](const Beyond& one) {
    return std::to_string(one.count) + " by up to " + std::to_string(one.overshoot);
  };
  return "accumulator " + of(seen.accumulator) + ", operand " + of(seen.operand) + ", output " + of(seen.output) +
         ", changed " + std::to_string(seen.changed);
}

// Returns the width that would have held all values of a register of `bits` bits.
constexpr int bits_that_hold(int bits, std::int64_t overshoot) {
  const std::int64_t needed = (std::int64_t{1} << (bits - 1)) + overshoot;
  while (bits < 63 && (std::int64_t{1} << (bits - 1)) < needed) ++bits;
  return bits;
}

}  // namespace fansim::arith
