// SPDX-License-Identifier: Apache-2.0
// These tests show that the transition tables of the tiled accelerator's paths change nothing but the time that the
// fast engine takes.
#include <fmt/format.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <optional>

#include "accelerators/registry.h"
#include "accelerators/tiled/timing/tiled_engine.h"
#include "base/error.h"
#include "network/network.h"
#include "random/random_case.h"
#include "timing/run_program.h"

namespace fansim::tiled_paths_test {

namespace {

const std::string kSource = FANSIM_SOURCE_DIR;

struct Machine {
  tiled::Config config;
  contract::Program program;
};

// Returns nothing if the network does not fit or cannot be read.
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

std::vector<contract::LayerResult> run(const Machine& machine, tiled::PathBooks& books) {
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
            tiled::run_tiled_layer(machine.config, machine.program, layer, gaps, books, progress);
        cycles = result.cycles;
        return result;
      },
      [](const contract::LayerSteps&, const contract::ProgressCallback&, contract::LayerResult&) {});
}

// Returns everything that a layer counts.
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

// Steps of all three paths.
struct Steps {
  std::int64_t known = 0, followed = 0;
  void add(const tiled::PathBooks& books) {
    for (const tiled::PathBook* book : {&books.inputs, &books.weights, &books.outputs}) {
      known += book->known();
      followed += book->followed();
    }
  }
};

// Runs so many random machines twice with the same books, the second time with all known from the first, and without
// any; returns the steps of the runs with books.
Steps compare(std::uint64_t first_seed, int machines) {
  Steps steps;
  const std::string file = fmt::format("/tmp/fansim_paths.{}.yaml", getpid());
  for (std::uint64_t seed = first_seed; seed < first_seed + static_cast<std::uint64_t>(machines); ++seed) {
    const test::Case c = test::random_tiled_case(seed);
    std::ofstream(file) << c.network();
    const std::optional<Machine> machine = machine_of(kSource + "/" + c.base, c.settings, file);
    if (!machine) continue;
    INFO("seed " << seed);
    tiled::PathBooks none(false), books;
    const std::string expected = text_of(run(*machine, none));
    CHECK(text_of(run(*machine, books)) == expected);
    CHECK(text_of(run(*machine, books)) == expected);
    Steps closed;
    closed.add(none);
    CHECK(closed.known == 0);
    steps.add(books);
  }
  unlink(file.c_str());
  return steps;
}

}  // namespace

TEST_CASE("what is known of paths changes no cycle or bucket or stage of random machines") {
  const Steps steps = compare(1001, 60);
  CHECK(steps.known > steps.followed);
}

TEST_CASE("of AlexNet's steps on paths few are followed") {
  const auto machine =
      machine_of(kSource + "/configs/systems/faq_zcu102_dorefa8.yaml", {}, kSource + "/models/alexnet.yaml");
  REQUIRE(machine);
  tiled::PathBooks books, none(false);
  CHECK(text_of(run(*machine, books)) == text_of(run(*machine, none)));
  Steps steps;
  steps.add(books);
  CHECK(steps.known > 5 * steps.followed);  // 9 times
  CHECK(none.inputs.followed() + none.weights.followed() + none.outputs.followed() == steps.known + steps.followed);
}

// Runs as many machines as FANSIM_FUZZ="FIRST_SEED MACHINES" says.
TEST_CASE("what is known of paths changes nothing of as many machines as asked for", "[.tiledpaths]") {
  const char* text = std::getenv("FANSIM_FUZZ");
  REQUIRE(text != nullptr);
  char* rest = nullptr;
  const std::uint64_t first = std::strtoull(text, &rest, 10);
  const Steps steps = compare(first, static_cast<int>(std::strtol(rest, nullptr, 10)));
  fmt::print("{} steps were known, {} followed\n", steps.known, steps.followed);
}

}  // namespace fansim::tiled_paths_test
