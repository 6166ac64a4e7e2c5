// SPDX-License-Identifier: Apache-2.0
#include "rules/clock_ratio.h"

#include <catch2/catch.hpp>

#include "base/random.h"

namespace fansim::clock_ratio_test {

using base::Rational;

TEST_CASE("edges of two clocks are converted as their exact ratio says however many have passed") {
  const rules::ClockRatio ratio(Rational{3200, 3}, Rational{250, 1});  // 64 to 15
  CHECK(ratio.fast_at(0) == 0);
  CHECK(ratio.fast_at(1) == 4);
  CHECK(ratio.fast_at(15) == 64);
  CHECK(ratio.slow_after(63) == 15);
  CHECK(ratio.slow_after(64) == 16);  // strictly after
  CHECK(ratio.slow_after(65) == 16);
  constexpr std::int64_t kDay = 250'000'000LL * 86'400 / 15 * 15;
  CHECK(ratio.fast_at(kDay) == kDay / 15 * 64);
  CHECK(ratio.slow_after(kDay / 15 * 64) == kDay + 1);
  const rules::ClockRatio odd(Rational{333'333'333, 1'000'000}, Rational{1000, 3});
  CHECK(odd.fast_at(1'000'000'000) == 999'999'999);
}

TEST_CASE("the edge found is the last not after and the first after for any two clocks") {
  base::Random random(4);
  for (int round = 0; round < 2000; ++round) {
    const Rational fast{random.uniform(1, 4000), random.uniform(1, 7)};
    const Rational slow{random.uniform(1, 1000), random.uniform(1, 7)};
    CAPTURE(fast.text(), slow.text());
    const rules::ClockRatio ratio(fast, slow);
    const std::int64_t a = fast.numerator * slow.denominator;
    const std::int64_t b = slow.numerator * fast.denominator;
    const int edge = random.uniform(0, 1'000'000);
    const std::int64_t f = ratio.fast_at(edge);
    REQUIRE(f * b <= edge * a);
    REQUIRE((f + 1) * b > edge * a);
    const std::int64_t s = ratio.slow_after(edge);
    REQUIRE(s * a > edge * b);
    REQUIRE((s - 1) * a <= edge * b);
  }
}

}  // namespace fansim::clock_ratio_test
