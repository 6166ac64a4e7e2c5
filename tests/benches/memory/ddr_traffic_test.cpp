// SPDX-License-Identifier: Apache-2.0
#include "benches/memory/ddr_traffic.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "rules/ddr_bench.h"

namespace fansim::ddr_traffic_test {

using test::ddr_part;

TEST_CASE("a sequential stream keeps the data bus busy but for refreshes at tCCD_L where it stays in one group") {
  for (const auto& [mapping, clocks] : {std::pair{"zcu102_rev_1_1", 4}, std::pair{"zcu102_rev_1_0", 6}}) {
    const contract::DdrPart part = ddr_part({std::string("mapping=") + mapping});
    std::vector<benches::DdrBurst> bursts;
    for (int i = 0; i < 120; ++i) bursts.push_back({0, false, static_cast<std::uint64_t>(i) * 64, 64});
    benches::run_closed_loop(part, {32}, bursts);  // 120 accesses in one row, of one or two banks
    for (std::size_t i = 20; i < bursts.size(); ++i) {
      INFO(mapping << " access " << i);
      REQUIRE(bursts[i].first - bursts[i - 1].first == clocks);
    }
  }
}

TEST_CASE(
    "every byte of closed-loop traffic is on the bus once and never more than N bursts of a stream are in flight") {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    INFO("seed " << seed);
    base::Random random(seed);
    contract::DdrPart part = ddr_part();
    part.posted_writes = false;
    const int outstanding = random.uniform(1, 8);
    std::vector<benches::DdrBurst> bursts;
    std::int64_t accesses = 0;
    for (int i = 0; i < 400; ++i) {
      const std::uint64_t address = random.next() % (part.bytes() - 5000);
      const int bytes = random.uniform(1, 4096);
      bursts.push_back({random.uniform(0, 3), random.chance(40), address, bytes});
      accesses += static_cast<std::int64_t>((address + static_cast<std::uint64_t>(bytes) - 1) / 64 - address / 64 + 1);
    }
    const benches::DdrTotals totals = benches::run_closed_loop(part, {outstanding}, bursts);
    CHECK(totals.accesses == accesses);
    CHECK(totals.row_hits + totals.row_misses + totals.row_conflicts == accesses);
    for (int stream = 0; stream < 4; ++stream) {
      std::vector<const benches::DdrBurst*> own;
      for (const benches::DdrBurst& burst : bursts)
        if (burst.stream == stream) own.push_back(&burst);
      for (std::size_t i = 0; i < own.size(); ++i) {
        REQUIRE(own[i]->issue < own[i]->first);
        REQUIRE(own[i]->last - own[i]->first >= 4);
        if (i > 0) REQUIRE(own[i]->issue > own[i - 1]->issue);
        const auto flying = std::count_if(own.begin(), own.begin() + static_cast<std::ptrdiff_t>(i),
                                          [&](const auto* other) { return other->last >= own[i]->issue; });
        REQUIRE(flying < outstanding);
      }
    }
  }
}

}  // namespace fansim::ddr_traffic_test
