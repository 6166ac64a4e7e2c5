// SPDX-License-Identifier: Apache-2.0
#include "timing/replay/outcome_table.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

namespace fansim::outcome_table_test {

TEST_CASE("outcomes are found by all of their key and stay where they are") {
  timing::OutcomeTable<std::vector<int>, std::string> table;
  std::vector<const std::string*> added;
  for (int i = 0; i < 1000; ++i) added.push_back(table.add({i % 10, i / 10, -i}, std::to_string(i)));
  CHECK(table.size() == 1000);
  for (int i = 0; i < 1000; ++i) {
    REQUIRE(table.find({i % 10, i / 10, -i}) == added[static_cast<std::size_t>(i)]);
    REQUIRE(*added[static_cast<std::size_t>(i)] == std::to_string(i));
  }
  CHECK(table.find({1, 2}) == nullptr);
  CHECK(*table.add({0, 0, 0}, "other") == "0");
  CHECK(table.size() == 1000);
}

TEST_CASE("a key may be a number") {
  timing::OutcomeTable<std::int64_t, int> table;
  CHECK(table.find(7) == nullptr);
  *table.add(7, 1) += 1;
  CHECK(*table.find(7) == 2);
}

}  // namespace fansim::outcome_table_test
