// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "program.h"

namespace fansim::mapping_test {

using nlohmann::json;
using test::config;
using test::model;
using test::run_program;

namespace {

json operand(const json& layer, const std::string& name) {
  for (const json& one : layer["mapping"]["operands"])
    if (one["name"] == name) return one;
  return {};
}

std::int64_t moved(const json& layer, bool written) {
  std::int64_t bytes = 0;
  for (const json& one : layer["mapping"]["operands"])
    if (one["written"] == written) bytes += one["ddr_bytes"].get<std::int64_t>();
  return bytes;
}

// The report and the counters of one run that stepped every cycle.
struct Stepped {
  json report, counters;
  Stepped(const std::string& system, const std::string& network) {
    const test::ScratchDirectory folder;
    const std::string r = folder / "r.json", c = folder / "c.json";
    REQUIRE(
        run_program({"run", config(system), model(network), "--mapping", "--timing-only", "--json", r, "--counters", c})
            .code == 0);
    report = json::parse(base::read_file(r));
    counters = json::parse(base::read_file(c));
  }
  const json& blocks(std::size_t layer) const { return counters["layers"][layer]["blocks"]; }
};

}  // namespace

TEST_CASE("run --mapping's operands are what a run moves between memory and chip") {
  const auto [system, network] = GENERATE(table<std::string, std::string>({
      {"tiny_stream", "tiny_conv"},
      {"zcu102_stream", "tiny_gru"},
      {"zcu102_stream", "tiny_residual"},
      {"faq_zcu102_dorefa8", "lenet5"},
      {"faq_zcu102_bnn", "lenet5"},
      {"tiny_decoupled", "tiny_conv"},
      {"tinyyolov3_zedboard", "yolov3_tiny"},
      {"vision_zcu102", "edge"},
  }));
  CAPTURE(system, network);
  const test::ScratchDirectory folder;
  const std::string file = folder / "r.json";
  const test::Outcome run = run_program({"run", system, network, "--mapping", "--timing-only", "--json", file});
  REQUIRE((run.code == 0 || run.code == 3));
  CHECK_THAT(run.out, Catch::Contains("largest tile of each layer"));
  int mapped = 0;
  const json report = json::parse(base::read_file(file));
  for (const json& layer : report["layers"]) {
    CHECK(layer.contains("mapping") == (layer["cycles"] > 0));
    if (!layer.contains("mapping")) continue;
    ++mapped;
    INFO(layer["name"]);
    CHECK(moved(layer, false) == layer["bytes_read"]);
    CHECK(moved(layer, true) == layer["bytes_written"]);
    CHECK(layer["mapping"]["tiles"] > 0);
  }
  CHECK(mapped > 0);
}

TEST_CASE("the streaming accelerator's buffers and array move what its mapping says") {
  const Stepped run("tiny_stream", "tiny_conv");  // 3 x 3 taps of 4 x 4 channels, a byte each
  int single = 0;
  for (std::size_t i = 0; i < run.report["layers"].size(); ++i) {
    const json& layer = run.report["layers"][i];
    if (layer["cycles"] == 0) continue;
    const json& blocks = run.blocks(i);
    const std::int64_t windows = blocks["top.array"]["windows"];
    CHECK(layer["mapping"]["tiles"] == blocks["top.sequencer"]["jobs"]);
    CHECK(layer["mapping"]["passes"] == blocks["top.sequencer"]["passes"]);
    CHECK(operand(layer, "inputs")["buffers_bytes"] == 4 * blocks["top.input_buffer"]["reads"].get<int>());
    CHECK(operand(layer, "inputs")["array_bytes"] == 9 * 4 * windows);
    CHECK(operand(layer, "weights")["buffers_bytes"] == 3 * 4 * 4 * blocks["top.weight_buffer"]["reads"].get<int>());
    CHECK(operand(layer, "weights")["array_bytes"] == 9 * 4 * 4 * windows);
    CHECK(operand(layer, "weights")["ddr_bytes"] == blocks["top.weight_receiver"]["bytes"]);
    // What a single job needs is loaded once and fits a half.
    if (layer["mapping"]["tiles"] != 1) continue;
    ++single;
    for (const json& buffer : layer["mapping"]["buffers"]) {
      if (buffer["name"] == "input") CHECK(buffer["most"] == blocks["top.input_receiver"]["bytes"]);
      if (buffer["name"] == "output") CHECK(buffer["most"] == blocks["top.dma.s2mm"]["bytes"]);
    }
  }
  CHECK(single > 0);
}

TEST_CASE("the tiled accelerator's engines take what its mapping says") {
  const Stepped run("faq_zcu102_dorefa8", "lenet5");
  const json& layer = run.report["layers"][2];  // conv2, on the engine of 24 x 128 channels
  const json& blocks = run.blocks(2)["top.conv.engine"];
  const int tn = run.report["config"]["resolved"]["conv"]["tn"], tm = run.report["config"]["resolved"]["conv"]["tm"];
  CHECK(layer["mapping"]["passes"] == blocks["sets"]);
  CHECK(operand(layer, "inputs")["array_bytes"] == blocks["points"].get<int>() * tn);
  CHECK(operand(layer, "weights")["array_bytes"] == blocks["points"].get<int>() * tn * tm);
  CHECK(operand(layer, "weights")["buffers_bytes"] == blocks["sets"].get<int>() * tn * tm);
}

TEST_CASE("the decoupled accelerator's array takes what its mapping says") {
  const Stepped run("tiny_decoupled", "tiny_conv");
  const json& array = run.report["config"]["resolved"]["array"];
  REQUIRE(array["refill"] == 0);
  const int tn = array["tn"], tm = array["tm"], interval = array["interval"];
  int compared = 0;
  for (std::size_t i = 0; i < run.report["layers"].size(); ++i) {
    const json& layer = run.report["layers"][i];
    if (layer["cycles"] == 0 || layer["type"] == "maxpool") continue;
    const std::int64_t cycles = run.blocks(i)["top.compute"]["multiply"];
    CHECK(operand(layer, "weights")["array_bytes"] == cycles / interval * tn * tm);
    CHECK(operand(layer, "inputs")["array_bytes"] == cycles / interval * tn);
    ++compared;
  }
  CHECK(compared > 3);
}

TEST_CASE("a machine without tiles refuses --mapping and says why") {
  const test::Outcome run = run_program({"run", "float_trainer", "digits", "--mapping", "--timing-only"});
  CHECK(run.code == 2);
  CHECK(run.out.empty());
  CHECK_THAT(run.err, Catch::Contains("--mapping: float_trainer") && Catch::Contains("no tiles"));
}

}  // namespace fansim::mapping_test
