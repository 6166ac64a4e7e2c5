// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arith/float/format.h"

namespace fansim::arith {

// Adder, multiplier and converter of one format (docs/float.md). A word lies in the lowest bits; the bits above are 0.
class FloatArithmetic {
 public:
  explicit FloatArithmetic(const FloatFormat& format, FloatRounding rounding = FloatRounding::truncate)
      : format_(format), rounding_(rounding) {}

  // Cycles of the blocks. The adder aligns, adds, then normalises and rounds; the multiplier multiplies, then rounds;
  // the converter rounds.
  static constexpr int kAddLatency = 3, kMultiplyLatency = 2, kConvertLatency = 1;

  const FloatFormat& format() const { return format_; }
  FloatRounding rounding() const { return rounding_; }

  std::uint64_t add(std::uint64_t a, std::uint64_t b, FloatEvents& events) const;
  std::uint64_t subtract(std::uint64_t a, std::uint64_t b, FloatEvents& events) const;
  std::uint64_t multiply(std::uint64_t a, std::uint64_t b, FloatEvents& events) const;
  // Converts a word of another format into this one.
  std::uint64_t convert(std::uint64_t word, const FloatFormat& from, FloatEvents& events) const;

  // Converts a number that is not NaN. An infinity saturates, a subnormal underflows.
  std::uint64_t from_double(double value, FloatEvents& events) const;
  // The result is exact, unless the format has 11 exponent bits and the word the highest exponent. A double does not
  // have that exponent, so the result is infinity.
  double to_double(std::uint64_t word) const;

 private:
  FloatFormat format_;
  FloatRounding rounding_;
};

}  // namespace fansim::arith
