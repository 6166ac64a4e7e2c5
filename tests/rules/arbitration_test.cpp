// SPDX-License-Identifier: Apache-2.0
#include "rules/arbitration.h"

#include <catch2/catch.hpp>
#include <vector>

namespace fansim::arbitration_test {

using contract::Arbitration;

TEST_CASE("round robin goes on behind the port it granted while priority takes the lowest") {
  CHECK(rules::arbitrate(Arbitration::round_robin, 0b1011, 4, -1) == 0);
  CHECK(rules::arbitrate(Arbitration::round_robin, 0b1011, 4, 0) == 1);
  CHECK(rules::arbitrate(Arbitration::round_robin, 0b1011, 4, 1) == 3);
  CHECK(rules::arbitrate(Arbitration::round_robin, 0b1011, 4, 3) == 0);
  CHECK(rules::arbitrate(Arbitration::round_robin, 0b0100, 4, 2) == 2);
  CHECK(rules::arbitrate(Arbitration::priority, 0b1010, 4, 1) == 1);
  for (const auto policy : {Arbitration::round_robin, Arbitration::priority})
    CHECK(rules::arbitrate(policy, 0, 4, 2) == -1);
}

TEST_CASE("under round robin nobody who asks waits for more than the others' turns") {
  for (std::uint32_t others = 0; others < 16; ++others)
    for (int asking = 0; asking < 4; ++asking)
      for (int last = 0; last < 4; ++last) {
        const std::uint32_t requests = others | 1U << asking;
        int granted = last, turns = 0;
        do {
          granted = rules::arbitrate(Arbitration::round_robin, requests, 4, granted);
          ++turns;
        } while (granted != asking);
        CHECK(turns <= 4);
      }
}

}  // namespace fansim::arbitration_test
