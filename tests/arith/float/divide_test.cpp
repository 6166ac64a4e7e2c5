// SPDX-License-Identifier: Apache-2.0
#include "arith/float/divide.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>

#include "arith/float/arithmetic.h"
#include "specification.h"

namespace fansim::divide_test {

using arith::ArrayDivider;
using arith::FloatArithmetic;
using arith::FloatEvents;
using arith::FloatFormat;
using arith::FloatRounding;
using arith::ReciprocalConfig;
using arith::ReciprocalDivider;

namespace {

constexpr std::uint64_t kSeed = 19;
const ReciprocalConfig kReciprocals[] = {{6, 2}, {2, 4}, {12, 1}, {3, 0}};

void check_pair(const ArrayDivider& array, const ReciprocalDivider& reciprocal, const ReciprocalConfig& config,
                const test::FloatSpecification& model, std::uint64_t a, std::uint64_t b) {
  FloatEvents of_array, of_reciprocal;
  test::require_equal(array.divide(a, b, of_array), of_array, model.divide(a, b), a, b, "quotient of the array");
  test::require_equal(reciprocal.divide(a, b, of_reciprocal), of_reciprocal,
                      model.divide_by_reciprocal(a, b, config.seed_bits, config.iterations), a, b,
                      "quotient by the reciprocal");
}

void check_random_pairs(const std::vector<FloatFormat>& formats, int pairs) {
  INFO("seed " << kSeed);
  for (const FloatFormat& format : formats) {
    for (const FloatRounding rounding : test::kRoundings) {
      for (const ReciprocalConfig& config : kReciprocals) {
        INFO(test::text(format) << ", seeds of " << config.seed_bits << " bits");
        const ArrayDivider array(format, rounding);
        const ReciprocalDivider reciprocal(format, config, rounding);
        const test::FloatSpecification model(format, rounding);
        base::Random random(kSeed, test::text(format) + std::to_string(config.seed_bits));
        for (int i = 0; i < pairs; ++i) {
          const auto [a, b] = test::random_pair(format, random);
          check_pair(array, reciprocal, config, model, a, b);
        }
        SUCCEED("pairs agree");
      }
    }
  }
}

}  // namespace

TEST_CASE("quotients of extremes with zero included are those of the specification in every format") {
  for (const FloatFormat& format : test::float_formats()) {
    INFO(test::text(format));
    const auto words = test::directed_words(format);
    for (const FloatRounding rounding : test::kRoundings) {
      const ArrayDivider array(format, rounding);
      const ReciprocalDivider reciprocal(format, kReciprocals[0], rounding);
      const test::FloatSpecification model(format, rounding);
      for (const std::uint64_t a : words)
        for (const std::uint64_t b : words) check_pair(array, reciprocal, kReciprocals[0], model, a, b);
    }
  }
}

TEST_CASE("quotients of random pairs are those of the specification") {
  check_random_pairs({arith::kSingle, arith::kCustom24, arith::kBrain16, arith::kCustom16}, 5'000);
  check_random_pairs({{11, 52}, {2, 1}, {9, 30}, {9, 31}, {8, 22}}, 1'000);
}

TEST_CASE("a million quotients per format", "[.million]") { check_random_pairs(test::float_formats(), 250'000); }

TEST_CASE("quotients of the array in single precision rounded to nearest are the host's where they are normal") {
  const ArrayDivider array(arith::kSingle, FloatRounding::nearest_even);
  base::Random random(kSeed);
  const auto host = [](std::uint64_t word) {
    const auto bits = static_cast<std::uint32_t>(word);
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  };
  int compared = 0;
  for (int i = 0; i < 100'000; ++i) {
    const auto [a, b] = test::random_pair(arith::kSingle, random);
    const volatile float quotient = host(a) / host(b);
    if (!std::isnormal(host(a)) || !std::isnormal(host(b)) || !std::isnormal(quotient)) continue;
    FloatEvents events;
    REQUIRE(host(array.divide(a, b, events)) == quotient);
    ++compared;
  }
  CHECK(compared > 20'000);
}

TEST_CASE("a quotient by the reciprocal is within its proved error and that is not far from the largest found") {
  INFO("seed " << kSeed);
  for (const FloatFormat& format : {arith::kSingle, arith::kCustom24, arith::kBrain16, arith::kCustom16}) {
    for (const FloatRounding rounding : test::kRoundings) {
      for (const ReciprocalConfig& config : kReciprocals) {
        INFO(test::text(format) << ", seeds of " << config.seed_bits << " bits, " << config.iterations);
        const ReciprocalDivider divider(format, config, rounding);
        const FloatArithmetic unit(format, rounding);
        base::Random random(kSeed);
        double largest = 0;
        for (int i = 0; i < 20'000; ++i) {
          const std::uint64_t one = static_cast<std::uint64_t>(format.bias()) << format.mantissa_bits;
          const std::uint64_t a = one | (random.next() & (format.hidden_one() - 1));
          const std::uint64_t b = one | (random.next() & (format.hidden_one() - 1));
          FloatEvents events;
          const double quotient = unit.to_double(divider.divide(a, b, events));
          const long double exact = static_cast<long double>(unit.to_double(a)) / unit.to_double(b);
          const double last_place = std::ldexp(1, std::ilogb(quotient) - format.mantissa_bits);
          largest = std::max(largest, static_cast<double>(std::fabs(quotient - exact)) / last_place);
        }
        CHECK(largest <= divider.error_units());
        CHECK(largest > divider.error_units() / 3);
      }
    }
  }
}

}  // namespace fansim::divide_test
