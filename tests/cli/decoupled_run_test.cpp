// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "program.h"

using namespace fansim;
using nlohmann::json;
using test::config;
using test::model;
using test::Outcome;
using test::run_program;

namespace {

Outcome run(std::vector<std::string> more, const std::string& network = "lenet5") {
  std::vector<std::string> arguments{"run", config("tiny_decoupled"), model(network)};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_program(arguments);
}

}  // namespace

TEST_CASE("the decoupled accelerator verifies LeNet-5 in both engines, and its buckets add up") {
  const test::ScratchDirectory folder;
  for (const char* setting : {"data.type=int8", "data.type=int16", "schedule.threads=rows", "array.batch=2"}) {
    const Outcome outcome = run({"--verify", "--cross-check", "--set", setting, "--json", folder / "r.json"});
    CAPTURE(setting, outcome.err);
    REQUIRE(outcome.code == 0);
    const json report = json::parse(base::read_file(folder / "r.json"));
    for (const json& layer : report["layers"]) {
      std::int64_t sum = 0;
      for (const auto& [name, cycles] : layer["buckets"].items()) sum += cycles.get<std::int64_t>();
      CHECK(sum == layer["cycles"]);
    }
    CHECK(report["layers"][0]["buckets"]["multiply"] > 0);
    CHECK(report["layers"][1]["buckets"]["pool"] > 0);
  }
}

TEST_CASE("a table of tiles is read beside the configuration, and what is wrong in it ends with its place") {
  const test::ScratchDirectory folder;
  const std::string table = folder / "t.csv";
  base::write_file(table, "layer,rows,columns,inputs,outputs,threads\nconv1,2,0,0,0,outputs\n");
  const Outcome plain = run({"--timing-only"}), tiles = run({"--timing-only", "--set", "schedule.tiles=" + table});
  CHECK(tiles.code == 0);
  CHECK(tiles.out != plain.out);
  base::write_file(table, "layer,rows,columns,inputs,outputs,threads\nconv1,2,0,0,0,output\n");
  const Outcome wrong = run({"--timing-only", "--set", "schedule.tiles=" + table});
  CHECK(wrong.code == 2);
  CHECK_THAT(wrong.err, Catch::Contains("t.csv:2:15: threads 'output'") && Catch::Contains("did you mean 'outputs'?"));
  const Outcome missing = run({"--timing-only", "--set", "schedule.tiles=none.csv"});
  CHECK(missing.code == 2);
  CHECK_THAT(missing.err, Catch::Contains("none.csv"));
}

TEST_CASE("a tile that no buffer holds is no schedule, and floats have times alone") {
  const Outcome large = run({"--timing-only", "--set", "schedule.rows=24", "--set", "schedule.columns=24"});
  CHECK(large.code == 3);
  CHECK_THAT(large.out + large.err, Catch::Contains("conv1") && Catch::Contains("buffers.input_kib"));
  CHECK(run({"--timing-only", "--set", "data.type=float32", "--set", "buffers.weight_kib=8"}).code == 0);
  const Outcome floats = run({"--set", "data.type=float32"});
  CHECK(floats.code == 2);
  CHECK_THAT(floats.err, Catch::Contains("--timing-only"));
}

TEST_CASE("describe shows each system's block where they have the name alone in common") {
  const std::string array = run_program({"describe", "array"}).out;
  CHECK_THAT(array, Catch::Contains("system stream:") && Catch::Contains("array.rows") &&
                        Catch::Contains("system decoupled:") && Catch::Contains("array.tm"));
  CHECK_THAT(run_program({"describe", "start"}).out, Catch::Contains("which of the layer's lists of commands"));
  CHECK_THAT(run_program({"describe", "wait_weights"}).out, Catch::Contains("wait_weights [cycles]"));
}
