// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/npy.h"
#include "program.h"

namespace fansim::saturation_test {

using nlohmann::json;
using test::config;
using test::Outcome;
using test::run_program;

namespace {

// A fully connected layer over eight inputs of 127. Its sums are 1016 times a weight: 101,600, 32,512, -101,600 and
// -1,016.
struct FourSums : test::ScratchDirectory {
  explicit FourSums(const std::string& quant, const std::string& activation = "none") {
    std::vector<std::uint8_t> weights;
    for (const int weight : {100, 32, -100, -1}) weights.insert(weights.end(), 8, static_cast<std::uint8_t>(weight));
    base::write_npy(*this / "w.npy", {4, 8}, base::DataType::int8, weights);
    base::write_npy(*this / "b.npy", {4}, std::vector<std::int32_t>(4));
    base::write_npy(*this / "x.npy", {8, 1, 1}, base::DataType::int8, std::vector<std::uint8_t>(8, 127));
    base::write_file(*this / "n.yaml",
                     "version: 1\nname: n\ninput: {shape: [8, 1, 1], type: int8}\nlayers:\n  - {name: "
                     "f, type: fc, units: 4, weights: w.npy, bias: b.npy, activation: " +
                         activation + ", quant: " + quant + "}\n");
  }

  Outcome run(const std::string& machine, const std::vector<std::string>& more) const {
    std::vector<std::string> arguments{"run",           config(machine), *this / "n.yaml", "--input",
                                       *this / "x.npy", "--json",        *this / "r.json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments);
  }
  json report() const { return json::parse(base::read_file(*this / "r.json")); }
};

const std::vector<std::string> kMachines{"tiny_stream", "zcu102_stream", "faq_zcu102_dorefa8", "tiny_decoupled"};

std::vector<std::string> widths(int accumulator, int operand) {
  return {"--set", "quantiser.accumulator_bits=" + std::to_string(accumulator),
          "--set", "quantiser.operand_bits=" + std::to_string(operand),
          "--set", "quantiser.rounding=truncate"};
}

}  // namespace

TEST_CASE("operands that saturate are counted on every machine and engine and the width that holds them is named") {
  const FourSums network("{scale: 1, shift: 10}");
  for (const std::string& machine : kMachines)
    for (const char* engine : {"fast", "clocked"}) {
      CAPTURE(machine, engine);
      std::vector<std::string> options = widths(20, 16);
      options.insert(options.end(), {"--engine", engine, "--verify"});
      const Outcome outcome = network.run(machine, options);
      CAPTURE(outcome.out, outcome.err);
      REQUIRE(outcome.code == 0);
      const json layer = network.report()["layers"][0]["saturation"];
      CHECK(layer["values"] == 4);
      CHECK(layer["operand"] == json{{"count", 2}, {"share", 0.5}, {"overshoot", 101600 - 32767}});
      CHECK(layer["accumulator"]["count"] == 0);
      CHECK(layer["output"]["count"] == 0);
      CHECK(layer["changed"] == 2);  // 31 for 99 and -32 for -100
      CHECK(network.report()["saturation"]["would_hold"] == json{{"quantiser.operand_bits", 18}});
      const std::string second = outcome.out.substr(outcome.out.find('\n') + 1);
      CHECK_THAT(second,
                 Catch::StartsWith("saturation changes 50 % of all results, 50 % of f's; operands saturate by up "
                                   "to 68,833: quantiser.operand_bits: 18 would hold\n"));
      CHECK_THAT(outcome.out, Catch::Contains("saturated: operand 50 % (by up to 68,833) of 4 values\n"));
      CHECK(network.run(machine, widths(20, 18)).out.find("saturat") == std::string::npos);
    }
}

TEST_CASE("sums that wrap are counted on every machine and engine") {
  const FourSums network("{scale: 1, shift: 10}");
  for (const std::string& machine : kMachines)
    for (const char* engine : {"fast", "clocked"}) {
      CAPTURE(machine, engine);
      std::vector<std::string> options = widths(17, 18);
      options.insert(options.end(), {"--engine", engine, "--verify", "--cross-check"});
      const Outcome outcome = network.run(machine, options);
      CAPTURE(outcome.out, outcome.err);
      REQUIRE(outcome.code == 0);
      const json all = network.report();
      const json layer = all["layers"][0]["saturation"];
      CHECK(layer["accumulator"] == json{{"count", 2}, {"share", 0.5}, {"overshoot", 101600 - 65535}});
      CHECK(layer["operand"]["count"] == 0);
      CHECK(layer["changed"] == 2);
      CHECK(all["saturation"]["would_hold"] == json{{"quantiser.accumulator_bits", 18}});
      CHECK_THAT(outcome.out, Catch::Contains("sums wrap by up to 36,065: quantiser.accumulator_bits: 18 would hold"));
    }
}

TEST_CASE("an output that its own range clips is counted and is no reason to warn") {
  const FourSums network("{scale: 1, shift: 6}");
  for (const std::string& machine : kMachines) {
    CAPTURE(machine);
    const Outcome outcome = network.run(machine, widths(20, 16));  // 32,767 >> 6 is beyond 127 as 101,600 >> 6 is
    REQUIRE(outcome.code == 0);
    const json layer = network.report()["layers"][0]["saturation"];
    CHECK(layer["operand"]["count"] == 2);
    CHECK(layer["output"] == json{{"count", 3}, {"share", 0.75}, {"overshoot", 511 - 127}});
    CHECK(layer["changed"] == 0);
    CHECK(outcome.out.find("saturation changes") == std::string::npos);
    CHECK_THAT(outcome.out, Catch::Contains("saturated: operand 50 % (by up to 68,833), output 75 % (by up to 384)"));
  }
}

TEST_CASE("what ReLU cuts is no saturation of the output") {
  const FourSums network("{scale: 1, shift: 6}", "relu");
  for (const std::string& machine : kMachines) {
    CAPTURE(machine);
    REQUIRE(network.run(machine, widths(20, 20)).code == 0);
    CHECK(network.report()["layers"][0]["saturation"]["output"]["count"] == 2);
  }
}

TEST_CASE("a run without values counts no saturation and a batch counts that of every input") {
  const FourSums network("{scale: 1, shift: 10}");
  REQUIRE(
      run_program({"run", config("zcu102_stream"), network / "n.yaml", "--timing-only", "--json", network / "r.json"})
          .code == 0);
  CHECK_FALSE(network.report()["layers"][0].contains("saturation"));
  CHECK_FALSE(network.report().contains("saturation"));
  std::vector<std::uint8_t> inputs(24, 127);
  std::fill(inputs.begin() + 8, inputs.begin() + 16, 1);  // the second input of three has no large sum
  base::write_npy(network / "xs.npy", {3, 8, 1, 1}, base::DataType::int8, inputs);
  REQUIRE(run_program({"run", config("zcu102_stream"), network / "n.yaml", "--inputs", network / "xs.npy", "--json",
                       network / "r.json"})
              .code == 0);
  const json layer = network.report()["layers"][0]["saturation"];
  CHECK(layer["values"] == 12);
  CHECK(layer["operand"]["count"] == 4);
}

TEST_CASE("the page shows what saturated") {
  const FourSums network("{scale: 1, shift: 10}");
  std::vector<std::string> options = widths(20, 16);
  options.insert(options.end(), {"--html", network / "r.html"});
  REQUIRE(network.run("zcu102_stream", options).code == 0);
  const std::string page = base::read_file(network / "r.html");
  CHECK_THAT(page, Catch::Contains("<h2>Saturation</h2>"));
  CHECK_THAT(page, Catch::Contains("quantiser.operand_bits: 18 would hold"));
}

}  // namespace fansim::saturation_test
