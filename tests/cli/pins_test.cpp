// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/file.h"
#include "program.h"

namespace fansim::pins_test {

using test::config;
using test::model;
using test::Outcome;
using test::run_program;

namespace {

nlohmann::json run(std::vector<std::string> arguments) {
  const test::ScratchDirectory folder;
  arguments.insert(arguments.begin(), "run");
  for (const char* more : {"--engine", "clocked", "--verify", "--json"}) arguments.emplace_back(more);
  arguments.push_back(folder / "r.json");
  const Outcome outcome = run_program(arguments);
  CAPTURE(outcome.err);
  REQUIRE(outcome.code == 0);
  return nlohmann::json::parse(base::read_file(folder / "r.json"));
}

void same_on_wires(std::vector<std::string> arguments) {
  const nlohmann::json streams = run(arguments);
  arguments.insert(arguments.end(), {"--set", "axi.pins=true", "--cross-check"});
  const nlohmann::json wires = run(arguments);
  CHECK(wires["layers"] == streams["layers"]);
  CHECK(wires["total"] == streams["total"]);
}

}  // namespace

TEST_CASE("on wires under checkers whole networks have the same cycles and buckets and bytes") {
  same_on_wires({config("zcu102_stream"), model("lenet5")});
  same_on_wires({config("tiny_stream"), model("tiny_lstm")});
  same_on_wires({config("tiny_stream"), model("tiny_residual")});
}

TEST_CASE("a whole layer of AlexNet runs on wires with no finding") {
  same_on_wires({config("zcu102_stream"), model("alexnet"), "--layers", "conv4"});
}

TEST_CASE("done goes high at the end of every layer and low with the next job and stays high after the last") {
  const test::ScratchDirectory folder;
  const Outcome outcome =
      run_program({"run", config("tiny_stream"), model("tiny_lstm"), "--set", "axi.pins=true", "--vcd",
                   folder / "w.vcd", "--vcd-scope", "top.outputs*", "--json", folder / "r.json"});
  REQUIRE(outcome.code == 0);
  // "$var wire 1 ID done $end", then "1ID" or "0ID" at each change.
  const auto changes = [&folder](const std::string& wire) {
    std::istringstream vcd(base::read_file(folder / "w.vcd"));
    std::string word, before, id, values;
    for (; vcd >> word; before = word) {
      if (word == wire) id = before;
      if (!id.empty() && word.size() == id.size() + 1 && word.substr(1) == id) values += word[0];
    }
    return values;
  };
  const auto result = nlohmann::json::parse(base::read_file(folder / "r.json"));
  std::string expected = "01";
  for (std::size_t layer = 1; layer < result["layers"].size(); ++layer) expected += "01";
  CHECK(expected.size() > 2);
  CHECK(changes("done") == expected);
  CHECK(changes("led") == "0");
}

TEST_CASE("a waveform shows the wires and their clock") {
  const test::ScratchDirectory folder;
  const Outcome outcome = run_program({"run", config("zcu102_stream"), model("hand_window"), "--set", "axi.pins=true",
                                       "--vcd", folder / "w.vcd", "--vcd-window", "0:3000"});
  REQUIRE(outcome.code == 0);
  const std::string vcd = base::read_file(folder / "w.vcd");
  for (const char* wire : {"arvalid", "rdata [127:0]", "wstrb [15:0]", "tkeep", "pl_clk"})
    CHECK_THAT(vcd, Catch::Contains(wire));
}

}  // namespace fansim::pins_test
