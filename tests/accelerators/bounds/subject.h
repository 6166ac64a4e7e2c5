// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <catch2/catch.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "accelerators/configure.h"
#include "accelerators/layer_times.h"
#include "accelerators/stream/bounds/stream_model.h"
#include "accelerators/tiled/bounds/tiled_model.h"
#include "base/fields.h"
#include "base/file.h"
#include "base/random.h"
#include "base/temporary_folder.h"
#include "contract/load_config.h"

// This file holds what the tests of all accelerators' models share.
namespace fansim::test {

// Paths of what comes with the program.
inline std::string config(const std::string& name) {
  return std::string(FANSIM_SOURCE_DIR) + "/configs/systems/" + name + ".yaml";
}
inline std::string model(const std::string& name) {
  return std::string(FANSIM_SOURCE_DIR) + "/models/" + name + ".yaml";
}

// Holds a network with a concatenation whose first map has 12 channels.
struct Joined : base::TemporaryFolder {
  const std::string file = path() + "/joined.yaml";
  Joined() {
    base::write_file(file,
                     "version: 1\nname: joined\ninput: {shape: [4, 14, 14]}\nlayers:\n"
                     "  - {name: a, type: conv, filters: 12, kernel: 1}\n"
                     "  - {name: b, type: conv, input_from: input, filters: 8, kernel: 3, padding: 1}\n"
                     "  - {name: ab, type: concat, input_from: a, with: b}\n"
                     "  - {name: c, type: conv, filters: 10, kernel: 3, padding: 1}\n"
                     "  - {name: d, type: fc, units: 10}\n");
  }
};

inline explore::Space space_named(const std::string& name) {
  return explore::load_space(std::string(FANSIM_SOURCE_DIR) + "/configs/spaces/" + name + ".yaml");
}

// Holds a space and the model of its points.
template <class Model, class Config>
struct Subject {
  Subject(const std::string& name, const std::string& network)
      : space(space_named(name)), base(Config::read(space.config, space.set)), model(space, base, network) {}
  explore::Space space;
  Config base;
  Model model;
};

// Says nothing of any box.
class Unbounded final : public explore::Model {
 public:
  explicit Unbounded(const explore::Model& model) : model_(model) {}
  explore::Outcome evaluate(const explore::Point& point) const override { return model_.evaluate(point); }

 private:
  const explore::Model& model_;
};

// Draws a box around the point; each side extends a random distance towards the ends.
explore::Box box_around(const explore::Point& point, const explore::Space& space, base::Random& random);

// Large factors fit no device: most points are drawn from the small ones.
explore::Point random_point(const explore::Space& space, base::Random& random);

// Draws points and boxes around them: each metric of a point lies within its boxes' bounds.
void check_bounds(const explore::Space& space, const explore::Model& model, int points, std::uint64_t seed);

std::vector<std::string> other_values(const base::FieldRow& row);

// Returns every configuration that differs from `base` in one field, with the field's name.
template <class Config>
std::vector<std::pair<std::string, Config>> neighbours(Config base) {
  std::vector<std::pair<std::string, Config>> all;
  const Config original = base;
  base.visit_blocks([&](const char* block, auto& fields) {
    for (const base::FieldRow& row : base::field_rows(fields))
      for (const std::string& value : other_values(row)) {
        Config changed = original;
        const std::string path = std::string(block) + "." + row.name;
        if (value == row.fallback || !contract::set_field(changed, path, value).empty()) continue;
        if (refusal(changed).empty()) all.emplace_back(path, changed);
      }
  });
  return all;
}

// The configuration of a point with these overrides, or why there is none.
template <class Config>
accelerators::Configured<Config> configured(const explore::Space& space, const Config& base,
                                            const std::vector<std::string>& overrides) {
  return accelerators::configure(space, base, overrides, Config::read);
}

// Runs the layers of a program one after another on one machine, without values.
std::vector<contract::LayerResult> run_fast(const stream::Config& config, const contract::Program& program);
std::vector<contract::LayerResult> run_fast(const tiled::Config& config, const contract::Program& program);

// Returns the cycles of the network's layers one after another on one machine; none if it cannot be scheduled.
template <class Config>
std::optional<double> cycles_of(const Config& config, const std::string& network_file) {
  network::LoadOptions load;
  load.values = false;
  network::Network network = network::load_network(network_file, load);
  prepare(network, config, load);
  compile::Options options;
  options.values = options.memory = false;
  auto compiled = compile_network(network, config, options);
  const auto* program = std::get_if<contract::Program>(&compiled);
  if (!program) return std::nullopt;
  double cycles = 0;
  for (const contract::LayerResult& layer : run_fast(config, *program)) cycles += static_cast<double>(layer.cycles);
  return cycles;
}

// Draws points: cycles, resources and power are those of the whole network on one machine.
template <class Subject>
void check_points(Subject& subject, const std::string& network, int points, std::uint64_t seed) {
  base::Random random(seed);
  int scored = 0;
  for (int trial = 0; trial < points; ++trial) {
    const explore::Point point = random_point(subject.space, random);
    CAPTURE(seed, subject.space.text(point));
    const explore::Outcome outcome = subject.model.evaluate(point);
    const auto loaded = configured(subject.space, subject.base, subject.space.overrides(point));
    using Config = decltype(subject.base);
    if (std::holds_alternative<std::string>(loaded)) {
      CHECK(outcome.kind == explore::Outcome::Kind::misfit);
      continue;
    }
    const Config config = Config::read(subject.space.config, subject.space.overrides(point));
    const std::optional<double> cycles = cycles_of(config, network);
    REQUIRE(cycles.has_value() == (outcome.kind == explore::Outcome::Kind::scored));
    if (!cycles) continue;
    ++scored;
    CHECK(of(outcome.metrics, explore::Metric::cycles) == *cycles);
    const estimate::Estimate cost = cost_of(config);
    CHECK(of(outcome.metrics, explore::Metric::lut) == cost.total.lut);
    CHECK(of(outcome.metrics, explore::Metric::bram36) == cost.total.bram36);
    CHECK(of(outcome.metrics, explore::Metric::power_w) == cost.power.total_w());
  }
  CHECK(scored > points / 4);
}

// The first layer's time at the begin of a machine's life, or behind no gap.
template <class Config>
contract::LayerResult quiescent(const Config& config, const contract::Program& program) {
  accelerators::Gaps none;
  return time_layer(config, program, none);
}

// The sum of the layers' cycles as a search has them: with the gaps that layers leave to each other, and without.
template <class Config>
std::pair<double, double> layer_by_layer(const Config& config, const std::string& network_file) {
  network::LoadOptions load;
  load.values = false;
  network::Network network = network::load_network(network_file, load);
  prepare(network, config, load);
  std::pair<double, double> cycles{0, 0};
  accelerators::Gaps gaps;
  for (const int layer : timed_layers(network, config)) {
    const auto program = std::get<contract::Program>(accelerators::program_of(network, layer, config));
    cycles.first += static_cast<double>(time_layer(config, program, gaps).cycles);
    cycles.second += static_cast<double>(quiescent(config, program).cycles);
  }
  return cycles;
}

}  // namespace fansim::test
