// SPDX-License-Identifier: Apache-2.0
#include "timing/two_clocks.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "base/random.h"
#include "rules/clock_crossing.h"

namespace fansim::two_clocks_test {

using timing::Edge;

TEST_CASE("edges are scaled exactly for clocks of any ratio") {
  base::Random random(7);
  for (int i = 0; i < 20000; ++i) {
    const int most = random.chance(50) ? 100 : 2'000'000;
    const base::Rational from{random.uniform(1, most), random.uniform(1, most)};
    const base::Rational to{random.uniform(1, most), random.uniform(1, most)};
    const Edge edge = random.chance(50) ? random.uniform(0, 100) : random.uniform(0, 2'000'000'000);
    INFO(fmt::format("edge {} from {} to {} MHz", edge, from.text(), to.text()));
    const timing::EdgeRatio ratio(from, to);
    REQUIRE(ratio.floor(edge) + 2 == rules::crossing_edge(edge, from, to, 2));
    const bool whole = timing::EdgeRatio(to, from).floor(ratio.floor(edge)) == edge;
    REQUIRE(ratio.ceil(edge) - ratio.floor(edge) == (whole ? 0 : 1));
  }
}

}  // namespace fansim::two_clocks_test
