// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arith/float/format.h"

namespace fansim::arith {

// The adder, multiplier and converter of one format, docs/float.md. A word lies in the lowest bits, those above are 0.
class FloatArithmetic {
 public:
  explicit FloatArithmetic(const FloatFormat& format, FloatRounding rounding = FloatRounding::truncate)
      : format_(format), rounding_(rounding) {}

  // Cycles of the blocks: operands aligned, added, normalised and rounded; multiplied, rounded; rounded.
  static constexpr int kAddLatency = 3, kMultiplyLatency = 2, kConvertLatency = 1;

  const FloatFormat& format() const { return format_; }
  FloatRounding rounding() const { return rounding_; }

  std::uint64_t add(std::uint64_t a, std::uint64_t b, FloatEvents& events) const;
  std::uint64_t subtract(std::uint64_t a, std::uint64_t b, FloatEvents& events) const;
  std::uint64_t multiply(std::uint64_t a, std::uint64_t b, FloatEvents& events) const;
  // A word of another format in this one.
  std::uint64_t convert(std::uint64_t word, const FloatFormat& from, FloatEvents& events) const;

  // Of a number that is not NaN; an infinity saturates, a subnormal underflows.
  std::uint64_t from_double(double value, FloatEvents& events) const;
  // Exact but for the highest exponent of 11 bits, which a double does not have: infinity.
  double to_double(std::uint64_t word) const;

 private:
  FloatFormat format_;
  FloatRounding rounding_;
};

}  // namespace fansim::arith
