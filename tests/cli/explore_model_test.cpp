// SPDX-License-Identifier: Apache-2.0
#include "cli/explore_tiled_model.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "arch/tiled_settings.h"
#include "base/random.h"
#include "cli/accelerator.h"
#include "cli/explore_config.h"
#include "cli/explore_timing.h"
#include "compile/tiled/engine_choice.h"
#include "program.h"
#include "timing/tiled/tiled_engine.h"

using namespace fansim;
using namespace fansim::cli;
using explore::Effort;
using explore::Metric;

namespace {

explore::Space space_named(const std::string& name) {
  return explore::load_space(std::string(FANSIM_SOURCE_DIR) + "/configs/spaces/" + name + ".yaml");
}

struct Subject {
  explicit Subject(const std::string& name, const std::string& network)
      : space(space_named(name)), base(arch::load_tiled_config(space.config, space.set)), model(space, base, network) {}
  explore::Space space;
  arch::TiledConfig base;
  TiledModel model;
};

// Around the point; each side reaches a random way to the ends.
explore::Box box_around(const explore::Point& point, const explore::Space& space, base::Random& random) {
  explore::Box box = explore::box_of(point);
  for (std::size_t i = 0; i < point.size(); ++i) {
    if (random.chance(40)) continue;
    box.sides[i].first = random.uniform(0, point[i]);
    box.sides[i].last = random.uniform(point[i], space.parameters[i].size() - 1);
  }
  return box;
}

// Large factors fit no device: most points are drawn from the small ones.
explore::Point random_point(const explore::Space& space, base::Random& random) {
  explore::Point point;
  for (const explore::Parameter& parameter : space.parameters) {
    const int last = parameter.size() - 1;
    point.push_back(random.uniform(0, random.chance(70) ? std::min(last, 32 + last / 16) : last));
  }
  return point;
}

void check_bounds(Subject& subject, int points, std::uint64_t seed) {
  base::Random random(seed);
  int scored = 0;
  for (int trial = 0; trial < points; ++trial) {
    const explore::Point point = random_point(subject.space, random);
    CAPTURE(seed, trial, subject.space.text(point));
    const explore::Outcome outcome = subject.model.evaluate(point);
    const bool counts =
        outcome.kind == explore::Outcome::Kind::scored && of(outcome.metrics, Metric::dsp_percent) <= 100;
    scored += counts ? 1 : 0;
    for (int i = 0; i < 6; ++i) {
      const explore::Box box = i == 0 ? explore::box_of(point) : box_around(point, subject.space, random);
      for (const Effort effort : {Effort::formula, Effort::simulate}) {
        if (!counts) continue;
        const explore::Bounds bounds = subject.model.bounds(box, effort);
        REQUIRE(bounds.possible);
        for (std::size_t m = 0; m < explore::kMetrics; ++m) {
          CAPTURE(i, explore::metric_names()[m], bounds.metrics[m].low, bounds.metrics[m].high, outcome.metrics[m]);
          REQUIRE(bounds.metrics[m].contains(outcome.metrics[m]));
        }
      }
    }
  }
  CHECK(scored > points / 8);
}

std::string other_value(const base::FieldRow& row) {
  if (row.type == "bool") return row.fallback == "true" ? "false" : "true";
  if (row.type != "int") return row.fallback;
  return std::to_string(std::stoi(row.fallback) * 2 + (row.fallback == "0" ? 1 : 0));
}
std::vector<std::string> other_values(const base::FieldRow& row) {
  if (row.type == "int") return {other_value(row), std::to_string(std::max(1, std::stoi(row.fallback) / 2))};
  if (row.type != "choice") return {other_value(row)};
  std::vector<std::string> words;
  for (std::size_t from = 0; from < row.allowed.size();) {
    const std::size_t to = std::min(row.allowed.find(" | ", from), row.allowed.size());
    words.push_back(row.allowed.substr(from, to - from));
    from = to + 3;
  }
  return words;
}

// Every configuration that differs from `base` in one field, and which.
std::vector<std::pair<std::string, arch::TiledConfig>> neighbours(arch::TiledConfig base) {
  std::vector<std::pair<std::string, arch::TiledConfig>> all;
  const arch::TiledConfig original = base;
  base.visit_blocks([&](const char* block, auto& fields) {
    for (const base::FieldRow& row : base::field_rows(fields))
      for (const std::string& value : other_values(row)) {
        arch::TiledConfig changed = original;
        const std::string path = std::string(block) + "." + row.name;
        if (value == row.fallback || !arch::set_field(changed, path, value).empty()) continue;
        if (arch::refusal(changed).empty()) all.emplace_back(path, changed);
      }
  });
  return all;
}

}  // namespace

TEST_CASE("bounds of a tiled accelerator contain every point of their box") {
  Subject tiny("tiny_tiled", test::model("lenet5"));
  check_bounds(tiny, 150, 1);
  Subject paper("faq_alexnet", test::model("alexnet"));
  check_bounds(paper, 25, 2);
}

TEST_CASE("a point's cycles are those of its layers on one machine, whatever was simulated before") {
  Subject subject("tiny_tiled", test::model("lenet5"));
  base::Random random(3);
  for (int trial = 0; trial < 40; ++trial) {
    const explore::Point point = random_point(subject.space, random);
    CAPTURE(subject.space.text(point));
    const explore::Outcome outcome = subject.model.evaluate(point);
    const arch::TiledConfig config = arch::load_tiled_config(subject.space.config, subject.space.overrides(point));
    network::LoadOptions load;
    load.values = false;
    network::Network network = network::load_network(test::model("lenet5"), load);
    prepare(network, config, load);
    compile::Options options;
    options.values = options.memory = false;
    const auto compiled = compile::compile(network, config, options);
    const auto* program = std::get_if<arch::Program>(&compiled);
    REQUIRE((program == nullptr) == (outcome.kind == explore::Outcome::Kind::misfit));
    if (!program) continue;
    double cycles = 0;
    for (const arch::LayerResult& layer : timing::run_tiled(config, *program))
      cycles += static_cast<double>(layer.cycles);
    CHECK(of(outcome.metrics, Metric::cycles) == cycles);
    const estimate::Estimate cost = estimate::estimate(config);
    CHECK(of(outcome.metrics, Metric::lut) == cost.total.lut);
    CHECK(of(outcome.metrics, Metric::power_w) == cost.power.total_w());
  }
}

// Changes every field of every block, one at a time.
TEST_CASE("layers with the same key take the same cycles and bytes, whatever field differs") {
  const arch::TiledConfig base = arch::load_tiled_config(
      test::config("faq_zcu102_dorefa8"),
      {"conv.tm=16", "conv.tn=4", "conv.dsp_channels=4", "first.tm=6", "first.tn=1", "first.input_words=256",
       "first.output_words=256", "fc.tm=4", "fc.tn=4", "weights.kib=4", "weights.fc_kib=1", "conv.input_words=64",
       "conv.output_words=32", "store.words=64", "fc.input_words=32", "fc.output_words=32"});
  network::LoadOptions load;
  load.values = false;
  const network::Network plain = network::load_network(test::model("lenet5"), load);
  const auto program_with = [&](const arch::TiledConfig& config, int layer) {
    network::Network network = plain;
    prepare(network, config, load);
    return program_of(network, layer, config);
  };
  network::Network prepared = plain;
  prepare(prepared, base, load);
  int same = 0, different = 0, slower = 0;
  for (const int layer : timed_layers(prepared, base)) {
    const auto reference = std::get<arch::Program>(program_with(base, layer));
    const std::string key = timing_key(base, reference);
    const arch::LayerResult expected = time_layer(base, reference);
    const int engine = compile::engine_of(prepared.layers[static_cast<std::size_t>(layer)], base);
    for (const auto& [path, changed] : neighbours(base)) {
      CAPTURE(layer, path);
      const auto program = program_with(changed, layer);
      if (std::holds_alternative<std::string>(program)) continue;
      const auto& compiled = std::get<arch::Program>(program);
      const bool equal = timing_key(changed, compiled) == key;
      if (!times_depend_on(path, engine)) CHECK(equal);
      const arch::LayerResult result = time_layer(changed, compiled);
      if (equal) {
        CHECK(result.cycles == expected.cycles);
        CHECK(result.macs == expected.macs);
        CHECK(result.bytes_read == expected.bytes_read);
        CHECK(result.bytes_written == expected.bytes_written);
      }
      ++(equal ? same : different);
      if (result.cycles != expected.cycles) ++slower;
    }
  }
  CHECK(same > 50);
  CHECK(different > 100);
  CHECK(slower > 100);
}

TEST_CASE("layers that points share are simulated once") {
  Subject subject("tiny_tiled", test::model("lenet5"));
  const explore::Point point{2, 2, 1, 1};
  subject.model.evaluate(point);
  const std::int64_t layers = subject.model.simulated_layers();
  CHECK(layers == static_cast<std::int64_t>(timed_layers(subject.model.network(), subject.base).size()));
  subject.model.evaluate(point);
  CHECK(subject.model.simulated_layers() == layers);
  subject.model.evaluate({3, 2, 1, 1});  // another conv.tm: the layers of the FC engine are the same
  CHECK(subject.model.simulated_layers() < 2 * layers);
}

TEST_CASE("a value that the configuration does not take is a misfit, with the reader's words") {
  Subject subject("tiny_tiled", test::model("lenet5"));
  const auto refused = [&](const std::vector<std::string>& overrides) {
    return std::get<std::string>(configure(subject.space, subject.base, overrides));
  };
  const std::size_t set = subject.space.set.size();
  std::vector<std::string> overrides = subject.space.set;
  overrides.emplace_back("conv.tm=600");
  CHECK(refused(overrides) == "conv: tm 600 is out of range; allowed: an integer 0..512");
  overrides[set] = "conv.tn=0";
  CHECK(refused(overrides) == "conv: tm 128 and tn 0: both are 0 or neither");
  overrides[set] = "load.weight_bits=48";
  CHECK(refused(overrides) == "load: weight_bits 48 is not a port width; allowed: 8, 16, ... 512");
  overrides[set] = "conv.macs=sdp";
  CHECK(refused(overrides) == "conv: macs: 'sdp' is no choice");
  overrides[set] = "clock_mhz=fast";
  CHECK(refused(overrides) == "clock_mhz 'fast' is no clock");
}
