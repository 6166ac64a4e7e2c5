// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/npy.h"
#include "base/random.h"
#include "program.h"

namespace fansim::quantise_test {

using test::Outcome;
using test::run_program;

namespace {

std::vector<float> bell(base::Random& random, std::size_t count, double sigma) {
  std::vector<float> values;
  for (std::size_t i = 0; i < count; ++i) {
    double sum = 0;
    for (int part = 0; part < 12; ++part) sum += random.uniform(-(1 << 20), 1 << 20) / std::ldexp(1.0, 21);
    values.push_back(static_cast<float>(sum * sigma));
  }
  return values;
}

// Makes LeNet-5 with weights drawn from a seed (He et al., 2015), and inputs from 0 to 1.
struct Lenet5 : test::ScratchDirectory {
  static constexpr int kInputs = 16;

  Lenet5() {
    base::Random random(5);
    std::string text = "version: 1\nname: lenet5\ninput: {shape: [1, 28, 28], type: float32}\nlayers:\n";
    text += layer(random, "conv1", "type: conv, filters: 6, kernel: 5, padding: 2, activation: relu", {6, 1, 5, 5});
    text += "- {name: pool1, type: maxpool, kernel: 2, stride: 2}\n";
    text += layer(random, "conv2", "type: conv, filters: 16, kernel: 5, activation: relu", {16, 6, 5, 5});
    text += "- {name: pool2, type: maxpool, kernel: 2, stride: 2}\n";
    text += layer(random, "fc3", "type: fc, units: 120, activation: relu", {120, 400});
    text += layer(random, "fc4", "type: fc, units: 84, activation: relu", {84, 120});
    text += layer(random, "fc5", "type: fc, units: 10", {10, 84});
    base::write_file(*this / "n.yaml", text);
    // Each input has a bright square somewhere in noise.
    std::vector<float> inputs;
    for (int i = 0; i < kInputs; ++i) {
      const int top = random.uniform(0, 16), left = random.uniform(0, 16), side = random.uniform(4, 12);
      for (int at = 0; at < 784; ++at) {
        const int row = at / 28 - top, column = at % 28 - left;
        const bool bright = row >= 0 && row < side && column >= 0 && column < side;
        inputs.push_back(static_cast<float>(random.uniform(0, 300) + (bright ? 700 : 0)) / 1000);
      }
    }
    base::write_npy(*this / "x.npy", {kInputs, 1, 28, 28}, inputs);
  }

  Outcome quantise(const std::vector<std::string>& more) const {
    std::vector<std::string> arguments{"quantise", *this / "n.yaml", "--calibrate", *this / "x.npy",
                                       "-o",       *this / "out"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments);
  }

 private:
  std::string layer(base::Random& random, const std::string& name, const std::string& geometry,
                    const base::NpyShape& shape) const {
    std::size_t count = 1;
    for (const std::int64_t extent : shape) count *= static_cast<std::size_t>(extent);
    const auto outputs = static_cast<std::size_t>(shape[0]);
    base::write_npy(*this / (name + ".w.npy"), shape,
                    bell(random, count, std::sqrt(2.0 * static_cast<double>(outputs) / static_cast<double>(count))));
    base::write_npy(*this / (name + ".b.npy"), {shape[0]}, bell(random, outputs, 0.1));
    return fmt::format("- {{name: {0}, {1}, weights: {0}.w.npy, bias: {0}.b.npy}}\n", name, geometry);
  }
};

}  // namespace

TEST_CASE("LeNet-5 in floats becomes codes of all methods and the build of each runs and verifies them") {
  const Lenet5 lenet;
  const Outcome outcome = lenet.quantise({});
  INFO(outcome.out << outcome.err);
  REQUIRE(outcome.code == 0);
  CHECK(outcome.first_line() == "lenet5: 8 of 8 methods, 16 inputs");
  for (const char* method : {"bnn", "tnn", "mul2q", "dorefa", "vecq", "pot", "kmeans", "linear"}) {
    const std::string folder = lenet / "out" + "/" + method + "/";
    const std::string build = method == std::string("dorefa") || method == std::string("linear") ? "dorefa8" : method;
    const Outcome run = run_program({"run", test::config("faq_zcu102_" + build), folder + "network.yaml", "--input",
                                     folder + "input.npy", "--verify"});
    CAPTURE(method, run.err);
    CHECK(run.code == 0);
    CHECK_THAT(run.first_line(), Catch::Contains("verified"));
  }
}

TEST_CASE("codes do not say how they are summed: the machine may in floats and both engines agree") {
  const Lenet5 lenet;
  REQUIRE(lenet.quantise({"--method", "dorefa"}).code == 0);
  const Outcome fine = run_program({"run", test::config("faq_zcu102_dorefa8"), lenet / "out" + "/dorefa/network.yaml",
                                    "--verify", "--cross-check", "--set", "quantisation.grain=fine"});
  CAPTURE(fine.err);
  CHECK_THAT(fine.err, Catch::Contains("both engines agree"));
  CHECK_THAT(fine.first_line(), Catch::Contains("verified"));
}

TEST_CASE("codes of 16 bits run on their build") {
  const Lenet5 lenet;
  REQUIRE(lenet.quantise({"--method", "dorefa", "--weight-bits", "16", "--activation-bits", "16"}).code == 0);
  const std::string folder = lenet / "out" + "/dorefa/";
  const Outcome run = run_program({"run", test::config("faq_zcu102_dorefa16"), folder + "network.yaml", "--input",
                                   folder + "input.npy", "--verify"});
  CAPTURE(run.err);
  CHECK(run.code == 0);
  CHECK_THAT(run.first_line(), Catch::Contains("verified"));
}

TEST_CASE("the table of losses is the same in text and JSON and CSV") {
  const Lenet5 lenet;
  const Outcome outcome = lenet.quantise(
      {"--method", "dorefa,tnn", "--json", lenet / "q.json", "--csv", lenet / "q.csv", "--weight-bits", "8"});
  CAPTURE(outcome.err);
  REQUIRE(outcome.code == 0);
  CHECK_THAT(outcome.out, Catch::Contains("tnn: weight_bits 8 is out of range for 'tnn'; allowed: 2\n"));
  const auto json = nlohmann::json::parse(base::read_file(lenet / "q.json"));
  const auto& dorefa = json["methods"][0];
  CHECK(json["methods"][1]["refusal"] == "weight_bits 8 is out of range for 'tnn'; allowed: 2");
  CHECK(dorefa["inputs"] == Lenet5::kInputs);
  REQUIRE(dorefa["layers"].size() == 7);
  const std::string csv = base::read_file(lenet / "q.csv");
  for (const auto& layer : dorefa["layers"]) {
    const double db = layer["sqnr_db"].get<double>();
    CHECK(db > 20);
    CHECK_THAT(outcome.out, Catch::Contains(fmt::format("{:.2f}", db)));
    CHECK_THAT(csv, Catch::Contains(fmt::format("dorefa,8,8,{},", layer["name"].get<std::string>())) &&
                        Catch::Contains(fmt::format(",{},", db)));
  }
  CHECK(test::files_in(lenet / "out") == std::vector<std::string>{"dorefa"});
}

TEST_CASE("8-bit DoReFa codes are int8 integers that the streaming accelerator runs and no others are") {
  const Lenet5 lenet;
  REQUIRE(lenet.quantise({"--method", "dorefa,pot"}).code == 0);
  const auto run = [&](const std::string& method) {
    const std::string folder = lenet / "out" + "/" + method + "/";
    return run_program({"run", test::config("zcu102_stream"), folder + "network.yaml", "--input", folder + "input.npy",
                        "--verify", "--set", "quantiser.accumulator_bits=32", "--set", "quantiser.operand_bits=32"});
  };
  const Outcome dorefa = run("dorefa");
  CAPTURE(dorefa.err);
  CHECK(dorefa.code == 0);
  CHECK_THAT(dorefa.first_line(), Catch::Contains("verified"));
  const Outcome pot = run("pot");
  CHECK(pot.code == 2);
  CHECK_THAT(pot.err, Catch::Contains("conv1: this accelerator computes int8, not codes of 'pot'"));
}

TEST_CASE("what cannot be quantised or calibrated or run is an error of the user's") {
  const Lenet5 lenet;
  const auto refuses = [](const Outcome& outcome, const std::string& message) {
    CHECK(outcome.code == 2);
    CHECK_THAT(outcome.err, Catch::Contains(message));
    CHECK(outcome.out.empty());
  };
  refuses(lenet.quantise({"--method", "dorfa"}),
          "quantise: --method: quantisation 'dorfa' unknown; did you mean 'dorefa'?");
  refuses(lenet.quantise({"--activation-bits", "17"}),
          "quantise: --activation-bits 17 is out of range; allowed: 1..16");
  refuses(lenet.quantise({"--json", lenet / "x.npy"}), "x.npy: cannot write");
  refuses(run_program({"quantise", lenet / "n.yaml", "-o", lenet / "out"}), "quantise: --calibrate is missing");
  refuses(run_program({"quantise", lenet / "n.yaml", "--calibrate", lenet / "x.npy"}), "quantise: --output is missing");
  refuses(run_program({"run", test::config("zcu102_stream"), lenet / "n.yaml"}),
          "n.yaml:3:35: input: type float32: a network of floats runs once it is quantised (fansim quantise)");
  CHECK(test::files_in(lenet.path()).size() == 12);  // nothing was written

  REQUIRE(lenet.quantise({"--method", "vecq"}).code == 0);
  refuses(
      run_program({"run", test::config("faq_zcu102_pot"), lenet / "out" + "/vecq/network.yaml"}),
      "vecq/network.yaml: quantised by 'vecq' to weight_bits 4, activation_bits 8; the accelerator's quantisation is "
      "'pot' with 4, 8");
}

}  // namespace fansim::quantise_test
