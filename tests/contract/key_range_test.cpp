// SPDX-License-Identifier: Apache-2.0
#include "contract/key_range.h"

#include <catch2/catch.hpp>

#include "support/user_error.h"

namespace fansim::key_range_test {

namespace {

std::vector<contract::KeyRange> read(const std::string& text) {
  const std::vector<base::FieldRow> rows{
      {"interrupt", "int", "", "", "", {}}, {"style", "choice", "", "", "", {}}, {"call", "cost", "", "", "", {}}};
  std::vector<contract::KeyRange> ranges;
  base::YamlMap map(base::parse_yaml(text, "f.yaml"));
  contract::read_ranges(map, "host", rows, {250, 1}, ranges);
  return ranges;
}

}  // namespace

TEST_CASE("a block's ranges name its integer keys with lo not above hi") {
  const std::vector<contract::KeyRange> ranges = read("ranges:\n  interrupt: [5, 9]\n");
  REQUIRE(ranges.size() == 1);
  CHECK(ranges[0].key == "host.interrupt");
  CHECK(ranges[0].lo == 5);
  CHECK(ranges[0].hi == 9);
  CHECK(read("interrupt: 7\n").empty());
  const auto refused = [](const std::string& text) { return test::message_of([&] { read(text); }); };
  CHECK_THAT(refused("ranges: {interrupts: [1, 2]}\n"), Catch::Contains("did you mean 'interrupt'?"));
  CHECK_THAT(refused("ranges: {style: [1, 2]}\n"), Catch::Contains("no integer key of host"));
  CHECK_THAT(refused("ranges: {interrupt: [2, 1]}\n"), Catch::Contains("expected a range [lo, hi]"));
  CHECK_THAT(refused("ranges: {interrupt: [2]}\n"), Catch::Contains("expected a range [lo, hi]"));
}

TEST_CASE("the range of a cost has units and is compared in its clock") {
  const std::vector<contract::KeyRange> ranges = read("ranges: {call: [80, 1 us]}\n");
  REQUIRE(ranges.size() == 1);
  CHECK(ranges[0].lo == 80);
  CHECK(ranges[0].hi == 250);
  CHECK(ranges[0].hi.text() == "1 us");
  const auto refused = [](const std::string& text) { return test::message_of([&] { read(text); }); };
  CHECK_THAT(refused("ranges: {call: [251, 1 us]}\n"), Catch::Contains("expected a range [lo, hi]"));
  CHECK_THAT(refused("ranges: {call: [1, 1 uss]}\n"), Catch::Contains("f.yaml:1:20") && Catch::Contains("'us'"));
}

}  // namespace fansim::key_range_test
