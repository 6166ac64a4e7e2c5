// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/npy.h"
#include "program.h"

namespace fansim::tiled_run_test {

using nlohmann::json;
using test::config;
using test::model;
using test::Outcome;
using test::run_program;

namespace {

const std::string kJoint = "faq_zcu102_dorefa8";

json run(std::vector<std::string> arguments) {
  const test::ScratchDirectory folder;
  arguments.insert(arguments.begin(), "run");
  arguments.insert(arguments.end(), {"--json", folder / "r.json"});
  const Outcome outcome = run_program(arguments);
  CAPTURE(outcome.err);
  REQUIRE(outcome.code == 0);
  return json::parse(base::read_file(folder / "r.json"));
}

Outcome with(const std::string& setting, const std::string& network = "lenet5") {
  return run_program({"run", config(kJoint), model(network), "--timing-only", "--set", setting});
}

}  // namespace

TEST_CASE("the tiled accelerator verifies LeNet-5 and reports its stages and a second run writes the same") {
  const json a = run({config(kJoint), model("lenet5"), "--verify"}),
             b = run({config(kJoint), model("lenet5"), "--verify"});
  CHECK(a["layers"] == b["layers"]);
  CHECK(a["config"]["name"] == kJoint);
  const json& conv2 = a["layers"][2];
  CHECK(conv2["name"] == "conv2");
  for (const char* stage : {"load_input", "load_weights", "compute", "post_process", "store"}) {
    CAPTURE(stage);
    CHECK(conv2["stages"][stage]["tiles"] > 0);
    CHECK(conv2["stages"][stage]["cycles"] > 0);
  }
  std::int64_t sum = 0;
  for (const auto& [name, cycles] : conv2["buckets"].items()) sum += cycles.get<std::int64_t>();
  CHECK(sum == conv2["cycles"]);
}

TEST_CASE("a layer of the tiled accelerator takes the same cycles alone as in the whole run") {
  const json all = run({config(kJoint), model("lenet5")});
  for (const char* name : {"conv2", "fc4"}) {
    const json one = run({config(kJoint), model("lenet5"), "--layers", name});
    for (const json& layer : all["layers"])
      if (layer["name"] == name) CHECK(one["layers"][0] == layer);
  }
}

TEST_CASE("the tiled accelerator takes the same cycles without values on either engine") {
  const json values = run({config(kJoint), model("lenet5")});
  for (const char* engine : {"clocked", "fast"}) {
    const json timing = run({config(kJoint), model("lenet5"), "--timing-only", "--engine", engine});
    CHECK(timing["engine"] == engine);
    for (std::size_t i = 0; i < values["layers"].size(); ++i) {
      json layer = values["layers"][i];
      layer.erase("output_hash");
      layer.erase("saturation");
      CHECK(timing["layers"][i] == layer);
    }
  }
}

TEST_CASE("the tiled accelerator runs on the fast engine and a cross-check compares the engines byte by byte") {
  CHECK(run({config(kJoint), model("lenet5")})["engine"] == "fast");
  for (const char* build : {"dorefa8", "dorefa16", "dorefa2", "bnn", "tnn", "pot", "vecq", "mul2q", "kmeans"}) {
    CAPTURE(build);
    const Outcome outcome =
        run_program({"run", config(std::string("faq_zcu102_") + build), model("lenet5"), "--verify", "--cross-check"});
    CHECK(outcome.code == 0);
    CHECK(outcome.err == "cross-check: both engines agree in every cycle count, counter and byte\n");
  }
}

TEST_CASE("on wires the tiled accelerator takes the same cycles and writes the same bytes") {
  const json streams = run({config(kJoint), model("lenet5")});
  const json wires = run({config(kJoint), model("lenet5"), "--engine", "clocked", "--set", "port.pins=true"});
  CHECK(wires["layers"] == streams["layers"]);
}

TEST_CASE("outputs of more than 8 bits are dumped as int16") {
  const test::ScratchDirectory folder;
  const Outcome outcome =
      run_program({"run", config("faq_zcu102_dorefa16"), model("lenet5"), "--verify", "--dump", folder / "out"});
  CAPTURE(outcome.err);
  REQUIRE(outcome.code == 0);
  CHECK(base::read_npy<std::int16_t>(folder / "out/fc5.npy", {10, 1, 1}).size() == 10);
}

TEST_CASE("a waveform of a tiled layer shows points and halves and the memory's port") {
  const test::ScratchDirectory folder;
  const Outcome outcome =
      run_program({"run", config(kJoint), model("lenet5"), "--vcd", folder / "w.vcd", "--vcd-layer", "fc5"});
  CAPTURE(outcome.err);
  REQUIRE(outcome.code == 0);
  const std::string vcd = base::read_file(folder / "w.vcd");
  for (const char* wire : {"input_requests", "sums_complete", "port0_ar", "written"})
    CHECK_THAT(vcd, Catch::Contains(wire));
}

TEST_CASE("a map whose blocks take more bytes than an instruction can count does not fit") {
  const test::ScratchDirectory folder;
  base::write_file(folder / "net.yaml",
                   "version: 1\nname: n\ninput: {shape: [4, 20000, 20000]}\nlayers:\n"
                   "  - {name: c, type: conv, filters: 4, kernel: 3}\n");
  const Outcome outcome = run_program({"run", config("faq_zcu102_dorefa16"), folder / "net.yaml", "--timing-only"});
  CHECK(outcome.code == 3);
  CHECK_THAT(outcome.err, Catch::Contains("net.yaml:5:5: c: does not fit: a block of 4 channels, 20000 x 20000 each: "
                                          "3,200,000,000 B of 2,147,483,647"));
}

TEST_CASE("what a tiled configuration gets wrong is told at its place with the nearest word") {
  const std::pair<const char*, const char*> cases[] = {
      {"quantisation.method=dorfa", "did you mean 'dorefa'"},
      {"quantisation.weight_bits=17", "weight_bits 17 is out of range; allowed: an integer 1..16"},
      {"conv.tn=0", "tn 0 is out of range; allowed: an integer 1..512"},
      {"conv.dsp_channels=129", "dsp_channels 129 is more than 128 channels"},
      {"load.input_bits=24", "input_bits 24 is not a port width"},
      {"load.order=seriel", "did you mean 'serial'"},
      {"conv.tm=600", "tm 600 is out of range; allowed: an integer 1..512"},
      {"convs.tm=6", "did you mean 'conv'"}};
  for (const auto& [setting, text] : cases) {
    const Outcome outcome = with(setting);
    CAPTURE(setting);
    CHECK(outcome.code == 2);
    CHECK_THAT(outcome.err, Catch::Contains(text));
  }
}

TEST_CASE("a method asked for bits that it does not define is an error of the configuration") {
  const Outcome outcome = with("quantisation={method: bnn, weight_bits: 3}");
  CHECK(outcome.code == 2);
  CHECK_THAT(outcome.err, Catch::Contains("bnn") && Catch::Contains("3"));
  const Outcome grain = with("quantisation={method: kmeans, weight_bits: 4, grain: coarse}");
  CHECK(grain.code == 2);
  CHECK_THAT(grain.err, Catch::Contains("kmeans") && Catch::Contains("coarse"));
}

TEST_CASE("an encoding wider than its port is an error while factors beyond the device are a misfit") {
  const Outcome narrow = with("load.weight_bits=8");
  CHECK(narrow.code == 3);  // words of a byte make the store of weights so deep that its clock is missed
  CHECK_THAT(narrow.out, Catch::Contains("does not fit: clock 200 MHz above Fmax 155 MHz"));
  const Outcome wide = run_program(
      {"run", config("faq_zcu102_dorefa16"), model("lenet5"), "--timing-only", "--set", "load.weight_bits=8"});
  CHECK(wide.code == 2);
  CHECK_THAT(wide.err, Catch::Contains("weight_bits 8 is narrower than a weight of 16 bits"));
  const Outcome large = with("conv={tm: 128, tn: 24, macs: dsp}");
  CHECK(large.code == 3);
  CHECK_THAT(large.out, Catch::Contains("of 2520"));
}

TEST_CASE("a layer that the tiled accelerator has no engine for is its host's and with --strict does not fit") {
  const Outcome left = run_program({"run", config(kJoint), model("tiny_residual"), "--verify", "--cross-check"});
  CHECK(left.code == 0);
  CHECK_THAT(left.out, Catch::Contains("% of them in software on the host, verified"));
  const Outcome outcome = run_program({"run", config(kJoint), model("tiny_residual"), "--timing-only", "--strict"});
  CHECK(outcome.code == 3);
  CHECK_THAT(outcome.err, Catch::Contains("tiny_residual.yaml:") &&
                              Catch::Contains("the accelerator has no add; without --strict its host computes it"));
  CHECK(run_program({"run", config(kJoint), model("lstm256"), "--timing-only"}).code == 2);
}

}  // namespace fansim::tiled_run_test
