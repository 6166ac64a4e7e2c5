// SPDX-License-Identifier: Apache-2.0
#include "arith/float/arithmetic.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>

#include "specification.h"

namespace fansim::arithmetic_test {

using arith::FloatArithmetic;
using arith::FloatEvents;
using arith::FloatFormat;
using arith::FloatRounding;

namespace {

constexpr std::uint64_t kSeed = 18;
void check_pair(const FloatArithmetic& unit, const test::FloatSpecification& model, std::uint64_t a, std::uint64_t b) {
  FloatEvents sum, difference, product;
  test::require_equal(unit.add(a, b, sum), sum, model.add(a, b), a, b, "sum");
  test::require_equal(unit.subtract(a, b, difference), difference, model.add(a, b ^ unit.format().sign_mask()), a, b,
                      "difference");
  test::require_equal(unit.multiply(a, b, product), product, model.multiply(a, b), a, b, "product");
}

void check_random_pairs(const std::vector<FloatFormat>& formats, int pairs) {
  INFO("seed " << kSeed);
  for (const FloatFormat& format : formats) {
    INFO(test::text(format));
    for (const FloatRounding rounding : test::kRoundings) {
      const FloatArithmetic unit(format, rounding);
      const test::FloatSpecification model(format, rounding);
      base::Random random(kSeed, test::text(format));
      for (int i = 0; i < pairs; ++i) {
        const auto [a, b] = test::random_pair(format, random);
        check_pair(unit, model, a, b);
      }
      SUCCEED("pairs agree");
    }
  }
}

template <class Host, class Word>
void check_host(const FloatFormat& format) {
  const FloatArithmetic unit(format, FloatRounding::nearest_even);
  base::Random random(kSeed);
  const auto host = [](std::uint64_t word) {
    const Word bits = static_cast<Word>(word);
    Host value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  };
  int compared = 0;
  for (int i = 0; i < 100'000; ++i) {
    const auto [a, b] = test::random_pair(format, random);
    if (!std::isnormal(host(a)) || !std::isnormal(host(b))) continue;
    const volatile Host sum = host(a) + host(b), difference = host(a) - host(b), product = host(a) * host(b);
    FloatEvents events;
    if (std::isnormal(sum) || sum == 0) REQUIRE(host(unit.add(a, b, events)) == sum);
    if (std::isnormal(difference) || difference == 0) REQUIRE(host(unit.subtract(a, b, events)) == difference);
    if (std::isnormal(product)) REQUIRE(host(unit.multiply(a, b, events)) == product);
    compared += std::isnormal(sum) && std::isnormal(product);
  }
  CHECK(compared > 20'000);
}

}  // namespace

TEST_CASE("sums and differences and products of extremes are those of the specification in every format") {
  for (const FloatFormat& format : test::float_formats()) {
    INFO(test::text(format));
    const auto words = test::directed_words(format);
    for (const FloatRounding rounding : test::kRoundings) {
      const FloatArithmetic unit(format, rounding);
      const test::FloatSpecification model(format, rounding);
      for (const std::uint64_t a : words)
        for (const std::uint64_t b : words) check_pair(unit, model, a, b);
    }
  }
}

TEST_CASE("sums and differences and products of random pairs are those of the specification") {
  check_random_pairs({arith::kSingle, arith::kCustom24, arith::kBrain16, arith::kCustom16}, 20'000);
}

TEST_CASE("in formats of the limits too") { check_random_pairs({{11, 52}, {2, 1}, {2, 52}, {9, 30}, {9, 31}}, 4'000); }

TEST_CASE("a million random pairs per format", "[.million]") { check_random_pairs(test::float_formats(), 1'000'000); }

TEST_CASE("every pair of a small format is the specification's") {
  const FloatFormat format{3, 2};
  for (const FloatRounding rounding : test::kRoundings) {
    const FloatArithmetic unit(format, rounding);
    const test::FloatSpecification model(format, rounding);
    for (std::uint64_t a = 0; a < 64; ++a)
      for (std::uint64_t b = 0; b < 64; ++b) check_pair(unit, model, a, b);
  }
}

TEST_CASE("single and double precision rounded to nearest are the host's IEEE 754 where it is normal") {
  check_host<float, std::uint32_t>(arith::kSingle);
  check_host<double, std::uint64_t>({11, 52});
}

TEST_CASE("words written out: what the page says of zero and carries and cancellation and the ends") {
  FloatEvents events;
  const FloatArithmetic brain(arith::kBrain16);
  const std::uint64_t one = 0x3f80, most = 0x7fff, least = 0x0080, minus = 0x8000;
  CHECK(brain.add(one, one, events) == 0x4000);             // a carry
  CHECK(brain.subtract(one, one, events) == 0);             // cancellation to zero
  CHECK(brain.subtract(0x3f81, one, events) == 0x3c00);     // 2^-7
  CHECK(brain.add(0x807f, one, events) == one);             // exponent 0 is zero, whatever else
  CHECK(brain.subtract(one, 0x3800, events) == 0x3f7f);     // 2^-15 is the lowest bit of the double width of 1 ...
  CHECK(brain.subtract(one, 0x3780, events) == one);        // ... and 2^-16 is lost below it
  CHECK(brain.multiply(0x3fff, 0x3fff, events) == 0x407e);  // 1.9921875^2 is 3.96875 and a little
  CHECK((events.saturations == 0 && events.underflows == 0));
  CHECK(brain.add(most, most, events) == most);
  CHECK(brain.multiply(most | minus, most, events) == (most | minus));
  CHECK(events.saturations == 2);
  CHECK(brain.multiply(least | minus, least, events) == 0);
  CHECK(brain.subtract(0x0081, least, events) == 0);
  CHECK(events.underflows == 2);
}

TEST_CASE("a conversion is the specification's rounding of the value in every pair of formats") {
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  for (const FloatFormat& from : test::float_formats()) {
    for (const FloatFormat& to : test::float_formats()) {
      INFO(test::text(from) << " to " << test::text(to));
      auto words = test::directed_words(from);
      for (int i = 0; i < 200; ++i) words.push_back(random.next() & (2 * from.sign_mask() - 1));
      for (const FloatRounding rounding : test::kRoundings) {
        const FloatArithmetic unit(to, rounding);
        const test::FloatSpecification source(from, rounding), target(to, rounding);
        for (const std::uint64_t word : words) {
          FloatEvents events;
          test::require_equal(unit.convert(word, from, events), events, target.round(source.value(word)), word, 0,
                              "conversion");
        }
      }
    }
  }
}

TEST_CASE("a number goes to a word and back as it is and ends where the format ends") {
  for (const FloatFormat& format : test::float_formats()) {
    INFO(test::text(format));
    const FloatArithmetic unit(format);
    for (const std::uint64_t word : test::directed_words(format)) {
      FloatEvents events;
      const double value = unit.to_double(word);
      const std::uint64_t canonical = value == 0 ? 0 : word;
      CHECK(unit.from_double(value, events) == (std::isinf(value) ? (word | format.max_magnitude()) : canonical));
    }
  }
  FloatEvents events;
  const FloatArithmetic custom(arith::kCustom16);
  CHECK(custom.from_double(-HUGE_VAL, events) == 0xffff);
  CHECK(custom.from_double(-1e30, events) == 0xffff);
  CHECK(events.saturations == 2);
  CHECK(custom.from_double(1e-30, events) == 0);
  CHECK(events.underflows == 1);
  CHECK(custom.from_double(1.5, events) == 0x3f00);
}

}  // namespace fansim::arithmetic_test
