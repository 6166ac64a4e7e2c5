// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/npy.h"
#include "base/random.h"
#include "program.h"

namespace fansim::for_machine_test {

using nlohmann::json;
using test::config;
using test::Outcome;
using test::run_program;

namespace {

constexpr std::uint64_t kSeed = 52;

float bell(base::Random& random) {
  double sum = 0;
  for (int part = 0; part < 12; ++part) sum += random.uniform(-(1 << 20), 1 << 20) / std::ldexp(1.0, 21);
  return static_cast<float>(sum);
}

// A network of floats with weights drawn from a seed (He et al., 2015), inputs to calibrate it with, x.npy, and others,
// t.npy.
class Floats : public test::ScratchDirectory {
 public:
  explicit Floats(const std::string& shape) {
    text_ = "version: 1\nname: n\ninput: {shape: " + shape + ", type: float32}\nlayers:\n";
  }

  void layer(const std::string& name, const std::string& keys) {
    text_ += fmt::format("  - {{name: {}, {}}}\n", name, keys);
  }
  void weighs(const std::string& name, const std::string& keys, const base::NpyShape& shape) {
    std::int64_t count = 1;
    for (const std::int64_t extent : shape) count *= extent;
    const double sigma = std::sqrt(2.0 * static_cast<double>(shape[0]) / static_cast<double>(count));
    std::vector<float> weights, bias;
    for (std::int64_t i = 0; i < count; ++i) weights.push_back(static_cast<float>(sigma) * bell(random));
    for (std::int64_t i = 0; i < shape[0]; ++i) bias.push_back(0.1F * bell(random));
    base::write_npy(*this / (name + ".w.npy"), shape, weights);
    base::write_npy(*this / (name + ".b.npy"), {shape[0]}, bias);
    layer(name, keys + fmt::format(", weights: {0}.w.npy, bias: {0}.b.npy", name));
  }
  void conv(const std::string& name, const std::string& from, int filters, int channels, int kernel, int stride,
            const std::string& more = "") {
    weighs(name,
           fmt::format("type: conv, input_from: {}, filters: {}, kernel: {}, stride: {}, padding: {}{}", from, filters,
                       kernel, stride, kernel / 2, more),
           {filters, channels, kernel, kernel});
  }
  void write() const { base::write_file(*this / "n.yaml", text_); }

  Outcome quantise(const std::string& folder, const std::vector<std::string>& more) const {
    std::vector<std::string> arguments{"quantise", *this / "n.yaml", "--calibrate", *this / "x.npy",
                                       "-o",       *this / folder};
    arguments.insert(arguments.end(), more.begin(), more.end());
    Outcome outcome = run_program(arguments);
    INFO(outcome.err);
    REQUIRE(outcome.code == 0);
    return outcome;
  }
  std::string codes(const std::string& folder) const { return *this / folder + "/linear/network.yaml"; }
  // Returns the report of a run with the other inputs.
  json run(const std::string& folder) const {
    const Outcome outcome = run_program({"run", config("zcu102_stream"), codes(folder), "--inputs", *this / "t.npy",
                                         "--floats", "--json", *this / "r.json"});
    INFO(outcome.err);
    REQUIRE(outcome.code == 0);
    return json::parse(base::read_file(*this / "r.json"));
  }

  double last_db(const std::string& folder) const {
    const Outcome outcome = run_program(
        {"quality", config("zcu102_stream"), codes(folder), "--input", *this / "t.npy", "--json", *this / "q.json"});
    INFO(outcome.err);
    REQUIRE(outcome.code == 0);
    return json::parse(base::read_file(*this / "q.json"))["methods"][0]["layers"].back()["sqnr_db"];
  }

  base::Random random{kSeed};

 private:
  std::string text_;
};

// Three hidden layers, as of hls4ml's tagger of jets.
struct Jets : Floats {
  static constexpr int kInputs = 200;

  Jets() : Floats("[16, 1, 1]") {
    const std::vector<int> units{16, 64, 32, 32, 5};
    for (std::size_t i = 1; i < units.size(); ++i)
      weighs(fmt::format("fc{}", i), fmt::format("type: fc, units: {}{}", units[i], i < 4 ? ", activation: relu" : ""),
             {units[i], units[i - 1]});
    write();
    for (const char* file : {"x.npy", "t.npy"}) {
      std::vector<float> inputs;
      for (int i = 0; i < kInputs * 16; ++i) inputs.push_back(bell(random) + 1);
      base::write_npy(*this / file, {kInputs, 16, 1, 1}, inputs);
    }
  }
};

// Depthwise convolutions, hard swish, and squeeze and excite.
struct Mobile : Floats {
  static constexpr int kInputs = 48, kSide = 16;

  Mobile() : Floats("[3, 16, 16]") {
    conv("first", "input", 8, 3, 3, 2);
    layer("first_swish", "type: hard_swish");
    block("a", "first_swish", 24, 8);
    block("b", "a_project", 32, 8);
    conv("last", "b_project", 48, 8, 1, 1);
    layer("last_swish", "type: hard_swish");
    layer("mean", "type: avgpool, kernel: 8");
    weighs("classes", "type: fc, units: 8", {8, 48});
    write();
    for (const char* file : {"x.npy", "t.npy"}) {
      std::vector<float> inputs;
      for (int i = 0; i < kInputs; ++i) picture(inputs);
      base::write_npy(*this / file, {kInputs, 3, kSide, kSide}, inputs);
    }
  }

 private:
  void block(const std::string& name, const std::string& from, int expanded, int filters) {
    conv(name + "_expand", from, expanded, 8, 1, 1, ", activation: relu");
    conv(name + "_depth", name + "_expand", expanded, 1, 3, 1, fmt::format(", groups: {}", expanded));
    layer(name + "_swish", "type: hard_swish");
    layer(name + "_squeeze", "type: avgpool, kernel: 8");
    conv(name + "_reduce", name + "_squeeze", 8, expanded, 1, 1, ", activation: relu");
    conv(name + "_excite", name + "_reduce", expanded, 8, 1, 1);
    layer(name + "_gate", "type: hard_sigmoid, alpha: 0.16666667");
    layer(name + "_scale", fmt::format("type: multiply, input_from: {0}_swish, with: {0}_gate", name));
    conv(name + "_project", name + "_scale", filters, expanded, 1, 1);
  }
  // Appends waves of another direction and strength in each channel.
  void picture(std::vector<float>& to) {
    for (int channel = 0; channel < 3; ++channel) {
      const float strength = bell(random), mean = bell(random), down = bell(random), right = bell(random);
      for (int at = 0; at < kSide * kSide; ++at)
        to.push_back(
            mean + strength * std::sin(down * static_cast<float>(at / kSide) + right * static_cast<float>(at % kSide)));
    }
  }
};

// Codes for wide registers and for the machine, and what each makes of inputs that they were not chosen by.
struct Compared {
  json wide, chosen;                  // reports of runs
  double wide_db = 0, chosen_db = 0;  // SQNR of the last layer in the machine's arithmetic

  explicit Compared(const Floats& floats) {
    floats.quantise("wide", {"--method", "linear", "--per-channel", "--correct-bias"});
    const Outcome outcome = floats.quantise("chosen", {"--for", config("zcu102_stream")});
    CHECK_THAT(outcome.first_line(),
               Catch::StartsWith("on zcu102_stream top-1 agrees for ") && Catch::Contains(" inputs kept back, "));
    wide = floats.run("wide");
    chosen = floats.run("chosen");
    wide_db = floats.last_db("wide");
    chosen_db = floats.last_db("chosen");
  }
  static double agreement(const json& report) { return report["batch"]["as_floats_percent"]; }
  static double changed(const json& report) { return report["saturation"]["changed_share"]; }
};

}  // namespace

TEST_CASE("a dense network is given codes that the thesis's quantiser carries") {
  INFO("seed " << kSeed);
  const Compared both{Jets()};
  CAPTURE(Compared::agreement(both.wide), both.wide_db, both.chosen_db);
  CHECK(Compared::agreement(both.chosen) >= 95);
  CHECK(Compared::agreement(both.chosen) > Compared::agreement(both.wide));
  CHECK(both.chosen_db > both.wide_db + 3);
  CHECK(Compared::changed(both.wide) > 5 * Compared::changed(both.chosen));
}

TEST_CASE("a small MobileNetV3 is given codes that the thesis's quantiser carries") {
  INFO("seed " << kSeed);
  const Compared both{Mobile()};
  CAPTURE(both.wide_db, both.chosen_db);
  CHECK(both.chosen_db > both.wide_db + 3);
  CHECK(Compared::agreement(both.chosen) > Compared::agreement(both.wide));
  CHECK(Compared::changed(both.wide) > 5 * Compared::changed(both.chosen));
}

TEST_CASE("quality in a machine's arithmetic counts the agreement of that machine's run") {
  const Jets jets;
  jets.quantise("wide", {"--method", "linear"});
  const double percent = jets.run("wide")["batch"]["as_floats_percent"];
  const Outcome quality = run_program(
      {"quality", config("zcu102_stream"), jets.codes("wide"), "--input", jets / "t.npy", "--json", jets / "q.json"});
  CHECK_THAT(quality.first_line(), Catch::StartsWith("n_linear8 in the arithmetic of zcu102_stream (linear, "));
  const json report = json::parse(base::read_file(jets / "q.json"));
  CHECK(report["methods"][0]["machine"] == "zcu102_stream");
  CHECK(report["methods"][0]["top1_agreement_percent"] == Approx(percent));
  const Outcome ideal =
      run_program({"quality", jets.codes("wide"), "--input", jets / "t.npy", "--json", jets / "q.json"});
  CHECK_THAT(ideal.first_line(), Catch::StartsWith("n_linear8 (linear, "));
  const double ideal_db = json::parse(base::read_file(jets / "q.json"))["methods"][0]["layers"].back()["sqnr_db"];
  CHECK(ideal_db > jets.last_db("wide") + 3);
}

TEST_CASE("a machine that cannot carry a network is named with the layer that adds most noise") {
  const Mobile mobile;
  const Outcome outcome =
      mobile.quantise("chosen", {"--for", config("zcu102_stream"), "--set", "quantiser.operand_bits=8"});
  CAPTURE(outcome.out);
  CHECK_THAT(outcome.out, Catch::Contains("zcu102_stream's arithmetic does not carry it to 95 %: ") &&
                              Catch::Contains(" adds most noise, its SQNR is "));
}

TEST_CASE("options that do not go with a machine are refused") {
  const Jets jets;
  const auto refuses = [&](const std::vector<std::string>& more, const char* why) {
    std::vector<std::string> arguments{"quantise", jets / "n.yaml", "--calibrate", jets / "x.npy", "-o", jets / "no"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = run_program(arguments);
    CHECK(outcome.code == 2);
    CHECK_THAT(outcome.err, Catch::Contains(why));
  };
  refuses({"--for", config("zcu102_stream"), "--method", "pot"}, "--for chooses it; leave --method out");
  refuses({"--set", "quantiser.operand_bits=16"}, "--set needs --for");
  refuses({"--for", config("vision_zcu102")}, "does not compute a network of codes");
  refuses({"--for", "zcu102_strem"}, "did you mean");
}

}  // namespace fansim::for_machine_test
