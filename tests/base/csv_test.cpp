// SPDX-License-Identifier: Apache-2.0
#include "base/csv.h"

#include <catch2/catch.hpp>

namespace fansim::csv_test {

using namespace base;

TEST_CASE("rows keep their place in the file while comments and blank lines are none") {
  const auto rows = parse_csv("\xef\xbb\xbf# note, with comma\n\n A ,B\r\n  # more\n1,\t2\n3,", "f.csv");
  REQUIRE(rows.size() == 3);
  CHECK(rows[0][0].text == "A");
  CHECK(rows[0][0].where.column == 2);
  CHECK(rows[0][1].text == "B");
  CHECK(rows[1][1].text == "2");
  CHECK(rows[1][1].where.line == 5);
  CHECK(rows[1][1].where.column == 4);
  CHECK(rows[2].size() == 2);
  CHECK(rows[2][1].text.empty());
  CHECK(rows[2][1].where.file == "f.csv");
}

TEST_CASE("text without rows has none") {
  CHECK(parse_csv("", "f").empty());
  CHECK(parse_csv("\n#\n \r\n", "f").empty());
}

}  // namespace fansim::csv_test
