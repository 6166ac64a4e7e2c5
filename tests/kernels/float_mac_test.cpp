// SPDX-License-Identifier: Apache-2.0
#include "kernels/float_mac.h"

#include <catch2/catch.hpp>

#include "arith/float/arithmetic.h"
#include "base/random.h"

namespace fansim::float_mac_test {

using arith::FloatArithmetic;
using arith::FloatEvents;
using arith::FloatFormat;
using arith::FloatRounding;
using kernels::FloatMac;

namespace {

constexpr std::uint64_t kSeed = 7;

struct Formats {
  FloatFormat operand, sum;
};
const Formats kFormats[] = {{arith::kSingle, arith::kSingle},
                            {arith::kCustom24, arith::kCustom24},
                            {arith::kBrain16, arith::kCustom24},
                            {arith::kCustom16, arith::kCustom24},
                            {arith::kBrain16, arith::kBrain16},
                            {{2, 1}, {2, 1}},
                            {{3, 2}, {10, 23}},
                            {{10, 23}, {10, 23}}};

// Draws words of every exponent or, so that sums cancel and rarely saturate, close to one.
std::vector<std::uint64_t> words(const FloatFormat& f, std::size_t count, bool near_one, base::Random& random) {
  std::vector<std::uint64_t> result(count);
  for (std::uint64_t& word : result) {
    word = random.next() & (2 * f.sign_mask() - 1);
    if (!near_one) continue;
    const int e = std::clamp(f.bias() + random.uniform(-4, 4), 0, f.max_exponent());
    word = (word & (f.sign_mask() | (f.hidden_one() - 1))) | static_cast<std::uint64_t>(e) << f.mantissa_bits;
  }
  return result;
}

}  // namespace

TEST_CASE("dot products side by side are those of the adder and the multiplier one by one in every variant") {
  INFO("seed " << kSeed);
  constexpr std::size_t kOutputs = 21, kTerms = 60;  // 21: a rest in every width of vectors
  for (const std::string& variant : FloatMac::variants()) {
    base::Random random(kSeed);
    FloatEvents all;
    for (const Formats& f : kFormats) {
      for (const FloatRounding rounding : {FloatRounding::truncate, FloatRounding::nearest_even}) {
        for (const bool near_one : {true, false}) {
          INFO(variant << ": " << f.operand.bits() << " bits, sums of " << f.sum.bits());
          REQUIRE((FloatMac::takes(f.operand) && FloatMac::takes(f.sum)));
          const FloatArithmetic operand(f.operand, rounding), sum(f.sum, rounding);
          const auto x = words(f.operand, kTerms, near_one, random);
          const auto weights = words(f.operand, kTerms * kOutputs, near_one, random);
          std::vector<double> x_numbers, weight_numbers, sums(kOutputs, 0.0);
          for (const std::uint64_t w : x) x_numbers.push_back(operand.to_double(w));
          for (const std::uint64_t w : weights) weight_numbers.push_back(operand.to_double(w));
          FloatEvents events, expected;
          FloatMac(f.operand, f.sum, rounding, variant)
              .dot_products(sums.data(), kOutputs, x_numbers.data(), weight_numbers.data(), kTerms, events);
          for (std::size_t o = 0; o < kOutputs; ++o) {
            std::uint64_t s = 0;
            for (std::size_t t = 0; t < kTerms; ++t) {
              const std::uint64_t product = operand.multiply(x[t], weights[t * kOutputs + o], expected);
              s = sum.add(s, sum.convert(product, f.operand, expected), expected);
            }
            REQUIRE(sums[o] == sum.to_double(s));
          }
          REQUIRE(events.saturations == expected.saturations);
          REQUIRE(events.underflows == expected.underflows);
          all += events;
        }
      }
    }
    CHECK(all.saturations > 100);
    CHECK(all.underflows > 100);
  }
}

TEST_CASE("formats that doubles or sums do not hold are refused") {
  CHECK_FALSE(FloatMac::takes({11, 10}));
  CHECK_FALSE(FloatMac::takes({8, 24}));
  CHECK_THROWS_AS(FloatMac({11, 10}, {11, 10}), std::invalid_argument);
  CHECK_THROWS_AS(FloatMac(arith::kCustom24, arith::kBrain16), std::invalid_argument);
  CHECK_THROWS_AS(FloatMac({9, 9}, arith::kCustom24), std::invalid_argument);
}

}  // namespace fansim::float_mac_test
