// SPDX-License-Identifier: Apache-2.0
#include "network/reference/reference_arithmetic.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "arith/activation.h"
#include "arith/requantise.h"
#include "base/random.h"
#include "network/reference/exact_sum.h"

namespace fansim::reference_arithmetic_test {

namespace {

constexpr std::uint64_t kSeed = 15;

struct Case {
  arith::Requantise q;
  arith::QuantiserFormat format;
};

// Every sum of 16 bits, and both sides of every power of two that the widest accumulator wraps at.
std::vector<std::int64_t> sums_of_16_bits_and_ends() {
  std::vector<std::int64_t> sums;
  for (std::int64_t sum = -32768; sum <= 32767; ++sum) sums.push_back(sum);
  for (int bit = 15; bit <= 50; ++bit) {
    for (const int beside : {-1, 0, 1}) {
      sums.push_back((std::int64_t{1} << bit) + beside);
      sums.push_back(-(std::int64_t{1} << bit) + beside);
    }
  }
  return sums;
}

// Widths, roundings, scales and shifts at their ends and between; the published path first.
const std::vector<Case>& cases() {
  static const auto all = [] {
    base::Random random(kSeed);
    const auto either = [&](int lo, int hi) {
      const int n = random.uniform(0, 5);
      return n == 0 ? lo : n == 1 ? hi : random.uniform(lo, hi);
    };
    std::vector<Case> made{{{181, 15, 0, false, 8}, {20, 16, arith::Rounding::truncate}}};
    while (made.size() < 100) {
      Case c;
      c.format.accumulator_bits = either(8, 48);
      c.format.operand_bits = either(8, 48);
      c.format.rounding = random.uniform(0, 1) == 0 ? arith::Rounding::half_up : arith::Rounding::truncate;
      c.q.scale = either(1, 32767);
      c.q.shift = either(0, 31);
      c.q.bits = either(1, 16);
      c.q.is_unsigned = random.uniform(0, 1) == 0;
      c.q.zero_point = c.q.is_unsigned ? random.uniform(0, (1 << c.q.bits) - 1)
                                       : random.uniform(-(1 << (c.q.bits - 1)), (1 << (c.q.bits - 1)) - 1);
      made.push_back(c);
    }
    return made;
  }();
  return all;
}

// Returns where an engine's quantiser differs from the reference; empty: nowhere.
template <class Quantiser>
std::string first_difference(Quantiser engine) {
  static const std::vector<std::int64_t> sums = sums_of_16_bits_and_ends();
  for (const Case& c : cases()) {
    for (const std::int64_t sum : sums) {
      const int judged = network::quantised(sum, c.q, c.format);
      const int found = engine(sum, c.q, c.format);
      if (found != judged) {
        return fmt::format("sum {} * {} >> {} (accumulator {}, operand {}): {}, the reference {}", sum, c.q.scale,
                           c.q.shift, c.format.accumulator_bits, c.format.operand_bits, found, judged);
      }
    }
  }
  return "";
}

// The engines' quantiser put together from its parts, so that a test can plant a fault in each.
int saturated(std::int64_t v, const arith::Requantise& q) {
  v += q.zero_point;
  return static_cast<int>(q.is_unsigned ? arith::saturate_unsigned(v, q.bits) : arith::saturate(v, q.bits));
}
std::int64_t operand(std::int64_t sum, const arith::QuantiserFormat& f) {
  return arith::saturate(arith::wrap(sum, f.accumulator_bits), f.operand_bits);
}

}  // namespace

TEST_CASE("the engines' quantiser equals the reference's for every sum of 16 bits and at the ends of every width") {
  INFO("seed " << kSeed);
  CHECK(first_difference(arith::requantise) == "");
  const std::vector<std::int64_t> sums = sums_of_16_bits_and_ends();
  for (const Case& c : cases()) {
    for (const std::int64_t sum : sums) {
      if (arith::overflows(sum, c.format) != network::leaves_accumulator(sum, c.format)) FAIL(sum);
    }
  }
}

TEST_CASE(
    "engines and the reference count the same saturation for every sum of 16 bits and at the ends of every width") {
  INFO("seed " << kSeed);
  const std::vector<std::int64_t> sums = sums_of_16_bits_and_ends();
  for (const Case& c : cases())
    for (const bool relu : {false, true}) {
      arith::Saturation all;
      for (const std::int64_t sum : sums) {
        arith::Saturation counted, observed;
        arith::count(sum, c.q, c.format, relu, counted);
        network::observe(sum, c.q, c.format, relu, observed);
        observed.values = 0;
        if (!(counted == observed)) FAIL(sum << ": " << arith::text(counted) << "; " << arith::text(observed));
        all += counted;
      }
      CHECK((all.accumulator.count > 0 || c.format.accumulator_bits > 47));
    }
}

TEST_CASE("a shift of the reference is floor division and a row is quantised as each of its sums is") {
  INFO("seed " << kSeed);
  const std::vector<std::int64_t> sums = sums_of_16_bits_and_ends();
  for (const int n : {0, 1, 7, 31, 47, 61}) {
    for (const std::int64_t v : sums) {
      if (network::floor_shift(v, n) != network::floor_divide(v, network::power_of_two(n))) FAIL(v << " by 2^" << n);
    }
  }
  base::Random random(kSeed);
  for (const Case& c : cases()) {
    const std::int64_t bias = random.uniform(-100000, 100000);
    std::vector<std::int32_t> values(sums.size(), 1 << 20);
    const std::int64_t overflows = network::quantise(sums.data(), sums.size(), bias, c.q, c.format, values.data());
    std::int64_t expected = 0;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      expected += network::leaves_accumulator(sums[i] + bias, c.format) ? 1 : 0;
      if (values[i] != network::quantised(sums[i] + bias, c.q, c.format)) FAIL(sums[i] << " with " << bias);
    }
    CHECK(overflows == expected);
  }
}

TEST_CASE("the reference sums windows of one filter and of four in whole vectors or not") {
  base::Random random(kSeed);
  for (const std::size_t taps : {32U, 96U, 2048U, 4128U}) {
    for (std::size_t positions = 1; positions <= 9; ++positions) {
      std::vector<std::int16_t> weights(network::kFiltersAtOnce * taps), windows(positions * taps);
      for (auto& w : weights) w = static_cast<std::int16_t>(random.uniform(-128, 127));
      for (auto& v : windows) v = static_cast<std::int16_t>(random.uniform(-255, 255));
      for (std::size_t filters = 1; filters <= network::kFiltersAtOnce; ++filters) {
        CAPTURE(taps, positions, filters);
        std::vector<std::int64_t> sums(filters * positions, 1), expected(sums.size());
        for (std::size_t f = 0; f < filters; ++f)
          for (std::size_t p = 0; p < positions; ++p)
            for (std::size_t t = 0; t < taps; ++t)
              expected[f * positions + p] += weights[f * taps + t] * windows[p * taps + t];
        network::dot_windows(weights.data(), filters, windows.data(), taps, positions, sums.data());
        CHECK(sums == expected);
      }
    }
  }
}

TEST_CASE("a fault in any part of the engines' quantiser is one that the reference sees") {
  using Q = arith::Requantise;
  using F = arith::QuantiserFormat;
  const auto planted = [](const char* fault, auto quantiser) {
    INFO(fault << ", seed " << kSeed);
    CHECK(first_difference(quantiser) != "");
  };
  planted("the accumulator saturates", [](std::int64_t sum, const Q& q, const F& f) {
    const std::int64_t held = arith::saturate(arith::saturate(sum, f.accumulator_bits), f.operand_bits);
    return saturated(arith::round_shift(held * q.scale, q.shift, f.rounding), q);
  });
  planted("the operand wraps", [](std::int64_t sum, const Q& q, const F& f) {
    const std::int64_t held = arith::wrap(arith::wrap(sum, f.accumulator_bits), f.operand_bits);
    return saturated(arith::round_shift(held * q.scale, q.shift, f.rounding), q);
  });
  planted("rounding is always half up", [](std::int64_t sum, const Q& q, const F& f) {
    return saturated(arith::round_shift(operand(sum, f) * q.scale, q.shift), q);
  });
  planted("rounding is always down", [](std::int64_t sum, const Q& q, const F& f) {
    return saturated(arith::round_shift(operand(sum, f) * q.scale, q.shift, arith::Rounding::truncate), q);
  });
  planted("halves go away from zero", [](std::int64_t sum, const Q& q, const F& f) {
    const std::int64_t v = operand(sum, f) * q.scale;
    const std::int64_t down = v < 0 && f.rounding == arith::Rounding::half_up && q.shift > 0 ? 1 : 0;
    return saturated(arith::round_shift(v - down, q.shift, f.rounding), q);
  });
  planted("truncation goes toward zero", [](std::int64_t sum, const Q& q, const F& f) {
    const std::int64_t v = operand(sum, f) * q.scale;
    if (f.rounding == arith::Rounding::half_up) return saturated(arith::round_shift(v, q.shift), q);
    return saturated(v / (std::int64_t{1} << q.shift), q);
  });
  planted("the output wraps", [](std::int64_t sum, const Q& q, const F& f) {
    const std::int64_t v = q.zero_point + arith::round_shift(operand(sum, f) * q.scale, q.shift, f.rounding);
    return static_cast<int>(q.is_unsigned ? v & ((1 << q.bits) - 1) : arith::wrap(v, q.bits));
  });
  planted("the lowest value is left out", [](std::int64_t sum, const Q& q, const F& f) {
    const int y = arith::requantise(sum, q, f);
    return q.is_unsigned ? y : std::max(y, 1 - (1 << (q.bits - 1)));
  });
  planted("a 32-bit product", [](std::int64_t sum, const Q& q, const F& f) {
    return saturated(arith::round_shift(static_cast<std::int32_t>(operand(sum, f) * q.scale), q.shift, f.rounding), q);
  });
}

TEST_CASE("the engines' sigmoid and tanh equal the reference's for every pre-activation") {
  for (int pre = -32768; pre <= 32767; ++pre) {
    if (arith::sigmoid_q15(pre) != network::sigmoid_of(pre)) FAIL("sigmoid of " << pre);
    if (arith::tanh_q15(pre) != network::tanh_of(pre)) FAIL("tanh of " << pre);
  }
}

}  // namespace fansim::reference_arithmetic_test
