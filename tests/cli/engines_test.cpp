// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "accelerators/stream/config/account.h"
#include "base/file.h"
#include "program.h"
#include "runs/layer_differences.h"
#include "runs/memory_difference.h"

namespace fansim::engines_test {

using nlohmann::json;
using test::config;
using test::model;
using test::run_program;

namespace {

json report_of(const std::string& engine, const std::vector<std::string>& more = {}) {
  const test::ScratchDirectory folder;
  std::vector<std::string> arguments{"run",    config("tiny_stream"), model("tiny_residual"), "--engine", engine,
                                     "--json", folder / "r.json"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  REQUIRE(run_program(arguments).code == 0);
  return json::parse(base::read_file(folder / "r.json"));
}

contract::LayerResult layer(const std::string& name, base::Cycles cycles) {
  contract::LayerResult result;
  result.name = name;
  result.cycles = cycles;
  result.buckets.resize(stream::account().buckets.size());
  return result;
}

}  // namespace

TEST_CASE("both engines report the same apart from their names") {
  json clocked = report_of("clocked"), fast = report_of("fast");
  CHECK(clocked["engine"] == "clocked");
  CHECK(fast["engine"] == "fast");
  CHECK(clocked["layers"] == fast["layers"]);
  CHECK(clocked["total"] == fast["total"]);
}

TEST_CASE("a run without replay reports the same") {
  const json with = report_of("fast", {"--replay", "on"}), without = report_of("fast", {"--replay", "off"});
  CHECK(with["layers"] == without["layers"]);
  CHECK(with["total"] == without["total"]);
}

TEST_CASE("replay is on or off and nothing else") {
  const test::Outcome outcome =
      run_program({"run", config("tiny_stream"), model("tiny_residual"), "--replay", "maybe"});
  CHECK(outcome.code == 2);
  CHECK_THAT(outcome.err, Catch::Contains("run: --replay 'maybe': allowed: on, off"));
}

TEST_CASE("a cross-check runs both engines whichever reports") {
  CHECK(report_of("clocked", {"--cross-check"})["layers"] == report_of("fast", {"--cross-check"})["layers"]);
  for (const char* network : {"tiny_conv", "tiny_functions", "tiny_grouped", "tiny_gru", "tiny_lstm", "tiny_mobile",
                              "tiny_residual", "tiny_uint8"}) {
    CAPTURE(network);
    const test::Outcome outcome =
        run_program({"run", config("tiny_stream"), model(network), "--cross-check", "--verify"});
    CHECK(outcome.code == 0);
    CHECK(outcome.err == "cross-check: both engines agree in every cycle count, counter and byte\n");
  }
}

TEST_CASE("a waveform is recorded on the clocked engine and in a cross-check too") {
  const test::ScratchDirectory folder;
  const test::Outcome outcome =
      run_program({"run", config("tiny_stream"), model("hand_window"), "--cross-check", "--vcd", folder / "w.vcd"});
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.first_line(), Catch::Contains("(clocked)"));
  CHECK(test::files_in(folder.path()) == std::vector<std::string>{"w.vcd"});
}

TEST_CASE("what differs between the engines is named with both values and stages by name too") {
  const auto differences = [](const std::vector<contract::LayerResult>& clocked,
                              const std::vector<contract::LayerResult>& fast) {
    return runs::layer_differences(stream::account(), clocked, fast);
  };
  std::vector<contract::LayerResult> clocked{layer("conv1", 7), layer("conv2", 62641)}, fast = clocked;
  CHECK(differences(clocked, fast).empty());
  fast[1].cycles = 62639;
  CHECK(differences(clocked, fast) ==
        std::vector<std::string>{"conv2: cycle counts differ: clocked 62641, fast 62639"});
  fast[1].cycles = 62641;
  fast[0].buckets[0] = 3;
  fast[0].bytes_read = 16;
  CHECK(differences(clocked, fast) == std::vector<std::string>{"conv1: cycles of compute differ: clocked 0, fast 3",
                                                               "conv1: bytes read differ: clocked 0, fast 16"});
  fast = clocked;
  clocked[0].stages = {{"load", 1, 2, 3}};
  fast[0].stages = {{"laod", 1, 2, 4}};
  CHECK(differences(clocked, fast) ==
        std::vector<std::string>{"conv1: names of stage 0 differ: clocked load, fast laod",
                                 "conv1: load: cycles differ: clocked 3, fast 4"});
  fast.pop_back();
  CHECK(differences(clocked, fast).front() == "the clocked engine ran 2 layers, the fast one 1");
}

TEST_CASE("a difference names the two engines that differ") {
  const std::vector<contract::LayerResult> recurrences{layer("conv1", 7)}, replayed{layer("conv1", 8)};
  const runs::EnginePair engines{runs::EngineUse{runs::Engine::fast, false}.name(), runs::EngineUse{}.name()};
  CHECK(runs::layer_differences(stream::account(), recurrences, replayed, engines) ==
        std::vector<std::string>{"conv1: cycle counts differ: fast without replay 7, fast 8"});
  CHECK(runs::memory_differences({{"conv1", 1}}, {{"conv1", 2}}, engines) ==
        std::vector<std::string>{"conv1: fast without replay and fast leave different bytes in memory"});
}

TEST_CASE("a byte that the engines leave differently in memory is noticed even if it is the last one") {
  const auto left = [](const std::vector<std::uint8_t>& memory) {
    return std::vector<runs::LayerMemory>{{"conv1", runs::memory_hash(memory.data(), memory.size())}};
  };
  const std::vector<std::uint8_t> memory(13, 5);
  CHECK(runs::memory_differences(left(memory), left(memory)).empty());
  for (std::size_t at = 0; at < memory.size(); ++at) {
    std::vector<std::uint8_t> other = memory;
    other[at] ^= 0x40;
    CHECK(runs::memory_differences(left(memory), left(other)) ==
          std::vector<std::string>{"conv1: the engines leave different bytes in memory"});
  }
}

}  // namespace fansim::engines_test
