// SPDX-License-Identifier: Apache-2.0
#include "report/reproduction.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "report/table.h"

namespace fansim::reproduction_test {

using report::Row;
using report::Status;

TEST_CASE("a row's status follows from its figures and what was promised") {
  CHECK(Row{"p", "q", "u", 100.0, 100.0, 10.0, ""}.status() == Status::exact);
  CHECK(Row{"p", "q", "u", 100.0, 110.0, 10.0, ""}.status() == Status::within);
  CHECK(Row{"p", "q", "u", 100.0, 89.9, 10.0, ""}.status() == Status::outside);
  CHECK(Row{"p", "q", "u", 100.0, 5.0, {}, ""}.status() == Status::info);
  CHECK(Row{"p", "q", "u", {}, 5.0, {}, ""}.status() == Status::info);
  CHECK(Row{"p", "q", "u", {}, 5.0, 10.0, ""}.status() == Status::lost);
  CHECK(*Row{"p", "q", "u", 200.0, 190.0, 10.0, ""}.error_percent() == Approx(-5));
  CHECK_FALSE(Row{"p", "q", "u", {}, 190.0, 10.0, ""}.error_percent().has_value());
}

TEST_CASE("one row outside its tolerance decides") {
  const Row good{"p", "q", "u", 100.0, 101.0, 10.0, ""};
  const Row bad{"p", "q", "u", 100.0, 150.0, 10.0, ""};
  CHECK_FALSE(report::any_outside({good, good}));
  CHECK(report::any_outside({good, bad}));
}

TEST_CASE("the JSON carries every key of a row with null where there is no figure") {
  const auto j = nlohmann::json::parse(report::json(std::vector<Row>{
      {"uestc", "DSP", "slices", 306.0, 299.0, 10.0, "Table 5-4"}, {"uestc", "cycles", "cycles", {}, 5.0, {}, "-"}}));
  CHECK(j["rows"][0]["published"] == 306);
  CHECK(j["rows"][0]["status"] == "within");
  CHECK(j["rows"][0]["source"] == "Table 5-4");
  CHECK(j["rows"][1]["published"].is_null());
  CHECK(j["rows"][1]["error_percent"].is_null());
  CHECK(j["rows"][1]["tolerance_percent"].is_null());
  CHECK(j["rows"][1]["status"] == "info");
}

TEST_CASE("tables align words left and numbers right") {
  report::Table table(1);
  table.row({"name", "n"});
  table.rule();
  table.row({"a", "1,000"});
  CHECK(table.text() == "name      n\n-----------\na     1,000\n");
  CHECK(report::grouped(0) == "0");
  CHECK(report::grouped(999) == "999");
  CHECK(report::grouped(-1234567) == "-1,234,567");
}

TEST_CASE("only figures that nothing was chosen for come first in the headline") {
  const std::vector<Row> rows{{"p", "a", "u", 100.0, 100.0, 0, "Table 1"},
                              {"p", "b", "u", 100.0, 150.0, 10.0, "Table 1"},
                              {"p", "c", "u", 100.0, 100.0, 0, report::derived("ours")},
                              {"p", "d", "u", 100.0, 100.0, 0, report::fitted("Table 2")},
                              {"p", "e", "u", 100.0, 1.0, {}, "nothing promised"},
                              {"p", "f", "u", {}, 1.0, 10.0, "lost"}};
  CHECK(report::headline(rows) ==
        "1 of 2 judged figures that nothing was chosen for agree; derived: 1 of 1; sets a parameter: 0 of 0; fitted: 1 "
        "of 1\n");
}

}  // namespace fansim::reproduction_test
