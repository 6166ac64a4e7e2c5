// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/npy.h"
#include "program.h"

namespace fansim::decoupled_run_test {

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

TEST_CASE("the decoupled accelerator verifies LeNet-5 in both engines and its buckets add up") {
  const test::ScratchDirectory folder;
  for (const char* setting :
       {"data.type=int8", "data.type=int16", "data.type=float32", "schedule.threads=rows", "array.batch=2"}) {
    const Outcome outcome = run(
        {"--verify", "--cross-check", "--set", setting, "--set", "buffers.weight_kib=8", "--json", folder / "r.json"});
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

TEST_CASE("a table of tiles is read beside the configuration and what is wrong in it ends with its place") {
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

TEST_CASE("a tile that no buffer holds is no schedule") {
  const Outcome large = run({"--timing-only", "--set", "schedule.rows=24", "--set", "schedule.columns=24"});
  CHECK(large.code == 3);
  CHECK_THAT(large.out + large.err, Catch::Contains("conv1") && Catch::Contains("buffers.input_kib"));
}

TEST_CASE("YOLOv2 in floats: layers of a board verify and their outputs are float32") {
  const test::ScratchDirectory folder;
  const std::string board = FANSIM_SOURCE_DIR "/configs/boards/yolov2_zu3eg_a.yaml";
  const auto layers = [&](const char* chosen) {
    return run_program({"run", board, model("yolov2"), "--layers", chosen, "--verify", "--dump", folder / "d"});
  };
  const Outcome first = layers("conv1..pool1");
  CAPTURE(first.err);
  REQUIRE(first.code == 0);
  const std::vector<float> found = base::read_npy<float>(folder / "d/pool1.npy", {32, 208, 208});
  CHECK(std::count_if(found.begin(), found.end(), [](float x) { return x < 0; }) > 1000);
}

TEST_CASE("inputs in float32 are computed with as they are") {
  const test::ScratchDirectory folder;
  const std::string network = folder / "n.yaml", input = folder / "x.npy", out = folder / "y.npy";
  base::write_file(network,
                   "version: 1\nname: n\ninput: {shape: [3, 1, 2], step: 0.5}\nlayers:\n"
                   "  - {name: a, type: leaky_relu, alpha: 0.1}\n  - {name: b, type: maxpool, kernel: 1}\n");
  const std::vector<float> values{-1.3F, 0.7F, -1e-20F, 1e20F, 0.24F, -0.26F};
  std::vector<std::uint8_t> bytes(values.size() * sizeof(float));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  base::write_npy(input, {3, 1, 2}, base::DataType::float32, bytes);
  const auto outputs = [&](const char* option, const std::string& to, const char* option_of_it) {
    return run_program({"run", config("tiny_decoupled"), network, "--set", "data.type=float32", option, input,
                        option_of_it, to, "--verify"});
  };
  const Outcome one = outputs("--input", out, "--out"), batch = outputs("--inputs", folder / "d", "--dump");
  CAPTURE(one.err, batch.err);
  REQUIRE((one.code == 0 && batch.code == 0));
  std::vector<float> wanted;
  for (const float value : values) wanted.push_back(value < 0 ? value * 0.1F : value);
  CHECK(base::read_npy<float>(out, {3, 1, 2}) == wanted);
  CHECK(base::read_npy<float>(folder / "d/b.npy", {1, 3, 1, 2}) == wanted);
}

TEST_CASE("describe shows each system's block where they have the name alone in common") {
  const std::string array = run_program({"describe", "array"}).out;
  CHECK_THAT(array, Catch::Contains("system stream:") && Catch::Contains("array.rows") &&
                        Catch::Contains("system decoupled:") && Catch::Contains("array.tm"));
  CHECK_THAT(run_program({"describe", "start"}).out, Catch::Contains("which of the layer's lists of commands"));
  CHECK_THAT(run_program({"describe", "wait_weights"}).out, Catch::Contains("wait_weights [cycles]"));
}

}  // namespace fansim::decoupled_run_test
