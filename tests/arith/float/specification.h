// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "arith/float/format.h"
#include "base/random.h"

// docs/float.md in whole numbers of any size, and words to try.
namespace fansim::test {

using Integer = boost::multiprecision::cpp_int;

// Holds numerator / denominator x 2^power, with a sign.
struct Exact {
  bool negative = false;
  Integer numerator;
  Integer denominator = 1;
  int power = 0;
};

struct Rounded {
  std::uint64_t word;
  int saturations = 0, underflows = 0;
};

class FloatSpecification {
 public:
  FloatSpecification(const arith::FloatFormat& format, arith::FloatRounding rounding)
      : e_bits_(format.exponent_bits),
        m_bits_(format.mantissa_bits),
        bias_((1 << (e_bits_ - 1)) - 1),
        nearest_(rounding == arith::FloatRounding::nearest_even) {}

  Exact value(std::uint64_t word) const {
    const int e = static_cast<int>(word >> m_bits_ & ((1u << e_bits_) - 1));
    const std::uint64_t m = word & ((std::uint64_t{1} << m_bits_) - 1);
    Exact v;
    v.negative = (word >> (e_bits_ + m_bits_) & 1) != 0;
    if (e == 0) return v;
    v.numerator = (Integer(1) << m_bits_) + m;
    v.power = e - bias_ - m_bits_;
    return v;
  }

  Rounded round(const Exact& v) const {
    if (v.numerator == 0) return {0};
    // 2^scale <= |v| < 2^(scale + 1)
    using boost::multiprecision::msb;
    int scale = static_cast<int>(msb(v.numerator)) - static_cast<int>(msb(v.denominator)) + v.power;
    if (scaled(v.numerator, v.power - scale) < scaled(v.denominator, scale - v.power)) --scale;
    const int shift = v.power - scale + m_bits_;
    const Integer n = scaled(v.numerator, shift), d = scaled(v.denominator, -shift);
    Integer kept = n / d;
    const Integer rest = n % d * 2;
    if (nearest_ && (rest > d || (rest == d && kept % 2 == 1))) ++kept;
    if (kept == Integer(1) << (m_bits_ + 1)) {
      kept /= 2;
      ++scale;
    }
    const std::uint64_t sign = v.negative ? std::uint64_t{1} << (e_bits_ + m_bits_) : 0;
    const int e = scale + bias_, most = (1 << e_bits_) - 1;
    if (e < 1) return {0, 0, 1};
    if (e > most) return {sign | ((std::uint64_t{1} << (e_bits_ + m_bits_)) - 1), 1, 0};
    const Integer m = kept - (Integer(1) << m_bits_);
    return {sign | static_cast<std::uint64_t>(e) << m_bits_ | static_cast<std::uint64_t>(m)};
  }

  Rounded add(std::uint64_t a, std::uint64_t b) const {
    Exact x = value(a), y = value(b);
    if (x.numerator == 0 || y.numerator == 0) return round(x.numerator == 0 ? y : x);
    if (x.power < y.power || (x.power == y.power && x.numerator < y.numerator)) std::swap(x, y);
    const int lowest = x.power - (m_bits_ + 1);  // at twice the width
    if (nearest_ || y.power >= lowest) {
      const int common = std::min(y.power, lowest);
      y.numerator <<= y.power - common;
      y.power = common;
    } else {
      y.numerator >>= std::min(lowest - y.power, 200);
      y.power = lowest;
    }
    x.numerator <<= x.power - y.power;
    x.power = y.power;
    x.numerator = x.negative == y.negative ? Integer(x.numerator + y.numerator) : Integer(x.numerator - y.numerator);
    return round(x);
  }

  Rounded multiply(std::uint64_t a, std::uint64_t b) const {
    const Exact x = value(a), y = value(b);
    return round({x.negative != y.negative, x.numerator * y.numerator, 1, x.power + y.power});
  }

  Rounded divide(std::uint64_t a, std::uint64_t b) const {
    const Exact x = value(a), y = value(b);
    if (x.numerator == 0 || y.numerator == 0) return by_zero(a, b);
    return round({x.negative != y.negative, x.numerator, y.numerator, x.power - y.power});
  }

  Rounded divide_by_reciprocal(std::uint64_t a, std::uint64_t b, int seed_bits, int iterations) const {
    const Exact x = value(a), y = value(b);
    if (x.numerator == 0 || y.numerator == 0) return by_zero(a, b);
    const int fraction = std::max(m_bits_ + 4, seed_bits + 2);
    // Takes the divisor's interval, then 1 / its middle at seed_bits + 2 bits, with halves rounded up.
    const Integer address = ((y.numerator << seed_bits) >> m_bits_) - (Integer(1) << seed_bits);
    const Integer middle = (Integer(1) << (seed_bits + 1)) + 2 * address + 1;
    const Integer one = Integer(1) << (2 * seed_bits + 3);
    Integer reciprocal = (2 * one + middle) / (2 * middle) << (fraction - seed_bits - 2);
    for (int i = 0; i < iterations; ++i) {
      const Integer t = (y.numerator * reciprocal) >> m_bits_;
      reciprocal = (reciprocal * ((Integer(2) << fraction) - t)) >> fraction;
    }
    return round({x.negative != y.negative, x.numerator * reciprocal, 1, x.power - y.power - m_bits_ - fraction});
  }

  Rounded exponential(std::uint64_t word, int table_bits) const {
    const int fraction = std::min(m_bits_, 24) + 4, scale_bits = fraction + e_bits_;
    const Exact x = value(word);
    Integer fixed = scaled(x.numerator, x.power + fraction) >> std::max(-x.power - fraction, 0);
    fixed = std::min<Integer>(fixed, Integer(1) << (e_bits_ + fraction));
    // log2 e is computed from its decimal digits.
    const Integer digits("14426950408889634073599246810018921374266");
    const Integer ten_to_40 = boost::multiprecision::pow(Integer(10), 40);
    Integer power = (fixed * ((digits << scale_bits) / ten_to_40)) >> scale_bits;
    if (x.negative) power = -power;
    const Integer unit = Integer(1) << fraction;
    Integer k = power / unit, f = power % unit;
    if (f < 0) {
      f += unit;
      --k;
    }
    const int line_bits = fraction - table_bits;
    const Integer i = f >> line_bits, along = f & ((Integer(1) << line_bits) - 1);
    const Integer here = entry(i, table_bits, fraction), next = entry(i + 1, table_bits, fraction);
    return round({false, here + (((next - here) * along) >> line_bits), 1, static_cast<int>(k) - fraction});
  }

 private:
  Rounded by_zero(std::uint64_t a, std::uint64_t b) const {
    if (value(a).numerator == 0) return {0};
    const std::uint64_t sign = std::uint64_t{1} << (e_bits_ + m_bits_);
    return {((a ^ b) & sign) | (sign - 1), 1, 0};
  }
  // Rounds 2^(i / 2^table_bits) to nearest; the extended precision of the host has bits to spare.
  static Integer entry(const Integer& i, int table_bits, int fraction) {
    const long double power = std::exp2(std::ldexp(static_cast<long double>(i), -table_bits));
    return Integer(std::floor(std::ldexp(power, fraction) + 0.5L));
  }
  static Integer scaled(const Integer& v, int power) { return power > 0 ? Integer(v << power) : v; }

  const int e_bits_, m_bits_, bias_;
  const bool nearest_;
};

constexpr arith::FloatRounding kRoundings[] = {arith::FloatRounding::truncate, arith::FloatRounding::nearest_even};

inline void require_equal(std::uint64_t word, const arith::FloatEvents& events, const Rounded& expected,
                          std::uint64_t a, std::uint64_t b, const char* operation) {
  if (word == expected.word && events.saturations == expected.saturations && events.underflows == expected.underflows)
    return;
  INFO(operation << std::hex << " of " << a << " and " << b);
  REQUIRE(word == expected.word);
  REQUIRE(events.saturations == expected.saturations);
  REQUIRE(events.underflows == expected.underflows);
}

inline std::vector<arith::FloatFormat> float_formats() {
  return {arith::kSingle, arith::kCustom24, arith::kBrain16, arith::kCustom16, {11, 52}, {2, 1},
          {4, 3},         {2, 52},          {11, 1},         {9, 30},          {9, 31},  {5, 10}};
}

inline std::string text(const arith::FloatFormat& f) {
  return "(1," + std::to_string(f.exponent_bits) + "," + std::to_string(f.mantissa_bits) + ")";
}

// Returns extreme words; tests try every pair of them.
inline std::vector<std::uint64_t> directed_words(const arith::FloatFormat& f) {
  const std::uint64_t top = f.hidden_one() - 1;
  const int max = f.max_exponent(), mid = f.bias();
  std::vector<std::uint64_t> words;
  for (const int e : {0, 1, 2, mid, mid + 1, std::min(mid + f.mantissa_bits, max), max - 1, max})
    for (const std::uint64_t m : {std::uint64_t{0}, std::uint64_t{1}, top, top ^ 1, top >> 1})
      for (const std::uint64_t s : {std::uint64_t{0}, f.sign_mask()})
        words.push_back(s | static_cast<std::uint64_t>(e) << f.mantissa_bits | m);
  return words;
}

// Draws two words, often with close exponents, or such that little is left of their difference.
inline std::pair<std::uint64_t, std::uint64_t> random_pair(const arith::FloatFormat& f, base::Random& random) {
  const std::uint64_t all = 2 * f.sign_mask() - 1;
  const std::uint64_t a = random.next() & all, b = random.next() & all;
  const int draw = random.uniform(0, 3);
  if (draw < 2) return {a, b};
  const int e = static_cast<int>(a >> f.mantissa_bits) & f.max_exponent();
  const int near = draw == 2 ? random.uniform(-f.mantissa_bits - 4, f.mantissa_bits + 4) : random.uniform(-1, 1);
  const auto other = static_cast<std::uint64_t>(std::clamp(e + near, 0, f.max_exponent()));
  std::uint64_t m = b & (f.hidden_one() - 1);
  if (draw == 3) m = ((a & (f.hidden_one() - 1)) ^ (b & 7)) & (f.hidden_one() - 1);
  return {a, (b & f.sign_mask()) | other << f.mantissa_bits | m};
}

}  // namespace fansim::test
