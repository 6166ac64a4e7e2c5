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

TEST_CASE("figures of a batch are of all its pictures and those of a frame of one") {
  const test::ScratchDirectory folder;
  const auto report = [&](const char* batch, std::vector<std::string> more = {}) {
    more.insert(more.end(), {"--timing-only", "--set", "buffers.sum_kib=256", "--set", "buffers.input_kib=256", "--set",
                             std::string("array.batch=") + batch, "--json", folder / "r.json"});
    REQUIRE(run(more).code == 0);
    return json::parse(base::read_file(folder / "r.json"));
  };
  const json one = report("1"), four = report("4");
  CHECK(one["pictures"] == 1);
  CHECK(four["pictures"] == 4);
  const auto of = [](const json& r, const char* key) { return r["total"][key].get<double>(); };
  for (const char* key : {"macs", "ops", "bytes_written"}) CHECK(of(four, key) == 4 * of(one, key));
  const double clock = four["clock_hz"].get<double>(), cycles = of(four, "cycles");
  CHECK(of(four, "gops") == Approx(8 * of(one, "macs") / (cycles / clock) / 1e9));
  CHECK(four["frames_per_s"].get<double>() == Approx(4 * clock / cycles));
  CHECK(four["energy_mj"].get<double>() == Approx(1e3 * four["power_w"].get<double>() * cycles / clock / 4));
  // Multiplications are what the array does in the cycles in which it multiplies: not more than all of it.
  for (const json& layer : four["layers"]) {
    const double multiply = layer["buckets"]["multiply"].get<double>();
    const double used = layer["mac_utilisation"].get<double>() * layer["cycles"].get<double>();
    CHECK(used <= multiply * (1 + 1e-9));
    if (layer["type"] == "conv") CHECK(used >= 0.05 * multiply);
  }
  const json frames = report("4", {"--frames", "8"})["frames"];
  CHECK(frames["count"] == 8);
  CHECK(frames["total_cycles"].get<double>() == 2 * cycles);
  CHECK(frames["steady_cycles"].get<double>() == cycles);
  CHECK(frames["frames_per_s"].get<double>() == Approx(4 * clock / cycles));
  CHECK(frames["steady_frames_per_s"].get<double>() == Approx(4 * clock / cycles));
  const Outcome odd = run({"--timing-only", "--frames", "6", "--set", "array.batch=4"});
  CHECK(odd.code == 2);
  CHECK_THAT(odd.err, Catch::Contains("computes 4 at once") && Catch::Contains("the next such number is 8"));
}

TEST_CASE("the host computes a layer for all pictures of a batch") {
  const auto cycles = [](const char* batch) {
    const test::ScratchDirectory folder;
    REQUIRE(run({"--timing-only", "--set", "host.layer_setup=0", "--set", "host.cycles_per_value=3", "--set",
                 std::string("array.batch=") + batch, "--json", folder / "r.json"},
                "tiny_residual")
                .code == 0);
    return json::parse(base::read_file(folder / "r.json"))["total"]["on_host_cycles"].get<std::int64_t>();
  };
  CHECK(cycles("3") == 3 * cycles("1"));
}

TEST_CASE("sweeps and searches have a frame's energy and bytes of a batch") {
  const test::ScratchDirectory folder;
  const Outcome swept =
      run_program({"sweep", config("tiny_decoupled"), model("lenet5"), "--vary", "array.batch=1,2", "--set",
                   "buffers.sum_kib=256", "--set", "buffers.input_kib=256", "--json", folder / "s.json"});
  REQUIRE(swept.code == 0);
  const json points = json::parse(base::read_file(folder / "s.json"))["points"];
  const json& two = points[1];
  const double seconds = two["latency_ms"].get<double>() / 1e3;
  CHECK(two["frames_per_s"].get<double>() == Approx(2 / seconds));
  CHECK(two["energy_mj"].get<double>() == Approx(two["power_w"].get<double>() * seconds / 2 * 1e3));
  CHECK(two["read_mb"].get<double>() < points[0]["read_mb"].get<double>());
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
