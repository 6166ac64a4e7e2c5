// SPDX-License-Identifier: Apache-2.0
// Replay changes nothing of the tiled accelerator's fast engine but its time.
#include <fmt/format.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <optional>

#include "accelerators/registry.h"
#include "accelerators/tiled/replay/replayed_layer.h"
#include "base/error.h"
#include "network/network.h"
#include "random/random_case.h"
#include "timing/run_program.h"

namespace fansim::tiled_replay_test {

namespace {

const std::string kSource = FANSIM_SOURCE_DIR;

struct Machine {
  tiled::Config config;
  contract::Program program;
};

// Nothing if the network does not fit, or is none.
std::optional<Machine> machine_of(const std::string& base, const std::vector<std::string>& settings,
                                  const std::string& network_file) {
  network::LoadOptions load;
  load.values = false;
  compile::Options options;
  options.values = false;
  try {
    const auto accelerator = accelerators::read_accelerator(base, settings);
    network::Network network = network::load_network(network_file, load);
    accelerator->prepare(network, load);
    auto compiled = accelerator->compile(network, options);
    if (auto* program = std::get_if<contract::Program>(&compiled))
      return Machine{tiled::Config::read(base, settings), std::move(*program)};
  } catch (const base::UserError&) {
  }
  return {};
}

// `tables`: of the replay, or null: every event is computed.
std::vector<contract::LayerResult> run(const Machine& machine, tiled::PathTables* tables) {
  timing::EngineOptions options;
  options.values = false;
  tiled::TiledGaps gaps;
  timing::Edge cycles = 0;
  return timing::run_program(
      machine.program, options,
      [&](const contract::LayerSteps& layer, const contract::ProgressCallback& progress) {
        const timing::Edge idle = base::round_up(cycles, timing::Edge{layer.align}) - cycles + layer.waited;
        gaps = {gaps.inputs - idle, gaps.weights - idle};
        contract::LayerResult result =
            tables != nullptr
                ? tiled::replay_tiled_layer(machine.config, machine.program, layer, gaps, *tables, progress)
                : tiled::run_tiled_layer(machine.config, machine.program, layer, gaps, progress);
        cycles = result.cycles;
        return result;
      },
      [](const contract::LayerSteps&, const contract::ProgressCallback&, contract::LayerResult&) {});
}

// All that a layer counts.
std::string text_of(const std::vector<contract::LayerResult>& layers) {
  std::string text;
  for (const contract::LayerResult& layer : layers) {
    text += fmt::format("{}: {} cycles, {} and {} bytes, buckets {}\n", layer.name, layer.cycles, layer.bytes_read,
                        layer.bytes_written, fmt::join(layer.buckets, " "));
    for (const contract::StageResult& stage : layer.stages)
      text += fmt::format("  {}: {} tiles, {} beats, {} cycles\n", stage.name, stage.tiles, stage.beats, stage.cycles);
  }
  return text;
}

// Events that paths were told, and those of them that were replayed.
struct Events {
  std::int64_t told = 0, replayed = 0;
  void add(const tiled::PathTables& tables) {
    for (const timing::TransitionTable* table : {&tables.inputs, &tables.weights, &tables.outputs}) {
      told += table->told();
      replayed += table->replayed();
    }
  }
};

// Runs so many random machines twice with the same tables, which the first run fills, and once by the recurrences
// alone; returns the events of the runs with tables.
Events compare(std::uint64_t first_seed, int machines) {
  Events events;
  const std::string file = fmt::format("/tmp/fansim_replay.{}.yaml", getpid());
  for (std::uint64_t seed = first_seed; seed < first_seed + static_cast<std::uint64_t>(machines); ++seed) {
    const test::Case c = test::random_tiled_case(seed);
    std::ofstream(file) << c.network();
    const std::optional<Machine> machine = machine_of(kSource + "/" + c.base, c.settings, file);
    if (!machine) continue;
    INFO("seed " << seed);
    tiled::PathTables tables;
    const std::string expected = text_of(run(*machine, nullptr));
    CHECK(text_of(run(*machine, &tables)) == expected);
    CHECK(text_of(run(*machine, &tables)) == expected);
    events.add(tables);
  }
  unlink(file.c_str());
  return events;
}

}  // namespace

TEST_CASE("replay changes no cycle or bucket or stage of random machines") {
  const Events events = compare(1001, 60);
  CHECK(events.replayed > events.told / 2);
}

TEST_CASE("few events on AlexNet's paths are computed") {
  const auto machine =
      machine_of(kSource + "/configs/systems/faq_zcu102_dorefa8.yaml", {}, kSource + "/models/alexnet.yaml");
  REQUIRE(machine);
  tiled::PathTables tables;
  CHECK(text_of(run(*machine, &tables)) == text_of(run(*machine, nullptr)));
  Events events;
  events.add(tables);
  CHECK(events.replayed > 5 * (events.told - events.replayed));  // 9 times
}

// As many as FANSIM_FUZZ="FIRST_SEED MACHINES" says.
TEST_CASE("replay changes nothing of as many machines as asked for", "[.tiledreplay]") {
  const char* text = std::getenv("FANSIM_FUZZ");
  REQUIRE(text != nullptr);
  char* rest = nullptr;
  const std::uint64_t first = std::strtoull(text, &rest, 10);
  const Events events = compare(first, static_cast<int>(std::strtol(rest, nullptr, 10)));
  fmt::print("{} of {} events were replayed\n", events.replayed, events.told);
}

}  // namespace fansim::tiled_replay_test
