// SPDX-License-Identifier: Apache-2.0
#include "arith/float/exponential.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "arith/float/arithmetic.h"
#include "specification.h"

namespace fansim::exponential_test {

using arith::FloatArithmetic;
using arith::FloatEvents;
using arith::FloatExponential;
using arith::FloatFormat;
using arith::FloatRounding;

namespace {

constexpr std::uint64_t kSeed = 20;

// Most arguments have an exponent for which e^x is neither 1 nor an end of the range.
std::uint64_t argument(const FloatFormat& f, base::Random& random) {
  const std::uint64_t word = random.next() & (2 * f.sign_mask() - 1);
  if (random.chance(20)) return word;
  const int e = std::clamp(f.bias() + random.uniform(-f.mantissa_bits - 2, f.exponent_bits), 0, f.max_exponent());
  return (word & (f.sign_mask() | (f.hidden_one() - 1))) | static_cast<std::uint64_t>(e) << f.mantissa_bits;
}

void check_random(const std::vector<FloatFormat>& formats, int count) {
  INFO("seed " << kSeed);
  for (const FloatFormat& format : formats) {
    for (const FloatRounding rounding : test::kRoundings) {
      for (const int table_bits : {FloatExponential::enough_table_bits(format), 1, 5}) {
        INFO(test::text(format) << ", a table of " << table_bits << " bits");
        const FloatExponential unit(format, table_bits, rounding);
        const test::FloatSpecification model(format, rounding);
        base::Random random(kSeed, test::text(format) + std::to_string(table_bits));
        auto words = test::directed_words(format);
        for (int i = 0; i < count; ++i) words.push_back(argument(format, random));
        for (const std::uint64_t x : words) {
          FloatEvents events;
          test::require_equal(unit.exponential(x, events), events, model.exponential(x, table_bits), x, 0,
                              "exponential");
        }
        SUCCEED("results agree");
      }
    }
  }
}

}  // namespace

TEST_CASE("exponentials of extremes and random numbers are those of the specification") {
  check_random(test::float_formats(), 1'500);
}

TEST_CASE("a million exponentials per format", "[.million]") { check_random(test::float_formats(), 340'000); }

TEST_CASE("an exponential is within its proved error and that is not far from the largest found") {
  INFO("seed " << kSeed);
  for (const FloatFormat& format : {arith::kSingle, arith::kCustom24, arith::kBrain16, arith::kCustom16}) {
    for (const FloatRounding rounding : test::kRoundings) {
      for (const int table_bits : {FloatExponential::enough_table_bits(format), 2}) {
        INFO(test::text(format) << ", a table of " << table_bits << " bits");
        const FloatExponential exponential(format, table_bits, rounding);
        const FloatArithmetic unit(format, rounding);
        base::Random random(kSeed);
        double largest = 0;
        for (int i = 0; i < 20'000; ++i) {
          FloatEvents events;
          const std::uint64_t x = argument(format, random);
          const double result = unit.to_double(exponential.exponential(x, events));
          if (events.saturations + events.underflows > 0) continue;
          const long double exact = std::exp(static_cast<long double>(unit.to_double(x)));
          const double last_place = std::ldexp(1, std::ilogb(result) - format.mantissa_bits);
          largest = std::max(largest, static_cast<double>(std::fabs(result - exact)) / last_place);
        }
        CHECK(largest <= exponential.error_units());
        CHECK(largest > exponential.error_units() / 3);
      }
    }
  }
}

TEST_CASE("e^0 is 1 and far numbers end at the ends") {
  const FloatExponential unit(arith::kBrain16, 3);
  FloatEvents events;
  CHECK(unit.exponential(0, events) == 0x3f80);
  CHECK(unit.exponential(0x3f80, events) == 0x402e);  // 2.71875: the line lies above e
  CHECK((events.saturations == 0 && events.underflows == 0));
  CHECK(unit.exponential(0x7fff, events) == 0x7fff);
  CHECK(events.saturations == 1);
  CHECK(unit.exponential(0xffff, events) == 0);
  CHECK(events.underflows == 1);
}

}  // namespace fansim::exponential_test
