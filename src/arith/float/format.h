// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace fansim::arith {

enum class FloatRounding { truncate, nearest_even };

// The format N(S,E,M) of docs/float.md: a sign, E bits of exponent, M bits of mantissa below the leading one, which is
// not stored. Every word is a number: exponent 0 means zero, and the highest exponent is like any other.
struct FloatFormat {
  int exponent_bits = 8;
  int mantissa_bits = 23;

  constexpr int bits() const { return 1 + exponent_bits + mantissa_bits; }
  constexpr int significand_bits() const { return mantissa_bits + 1; }
  constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  constexpr int max_exponent() const { return (1 << exponent_bits) - 1; }
  constexpr std::uint64_t sign_mask() const { return std::uint64_t{1} << (bits() - 1); }
  constexpr std::uint64_t hidden_one() const { return std::uint64_t{1} << mantissa_bits; }
  // Returns the largest magnitude, to which results saturate.
  constexpr std::uint64_t max_magnitude() const { return sign_mask() - 1; }

  template <class V>
  void visit(V&& v) {
    v.field("exponent_bits", exponent_bits, 2, 11, "bits of the exponent");
    v.field("mantissa_bits", mantissa_bits, 1, 52, "bits of the mantissa, without the leading one");
  }
};

constexpr bool operator==(const FloatFormat& a, const FloatFormat& b) {
  return a.exponent_bits == b.exponent_bits && a.mantissa_bits == b.mantissa_bits;
}

constexpr FloatFormat kSingle{8, 23};
constexpr FloatFormat kCustom24{8, 15};
constexpr FloatFormat kBrain16{8, 7};
// The publication's split of the bits is lost; this one is ours.
constexpr FloatFormat kCustom16{6, 9};

// Counts the results that lie outside their format and became the largest magnitude (saturations) or zero (underflows).
struct FloatEvents {
  std::int64_t saturations = 0;
  std::int64_t underflows = 0;

  FloatEvents& operator+=(const FloatEvents& other) {
    saturations += other.saturations;
    underflows += other.underflows;
    return *this;
  }
};

}  // namespace fansim::arith
