// SPDX-License-Identifier: Apache-2.0
#include "timing/layers_ahead.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>

namespace fansim::layers_ahead_test {

namespace {

using Ahead = timing::LayersAhead<int>;
using Kind = contract::HostOp::Kind;

// Returns a program whose layers have as many steps as their numbers.
contract::Program program_of(std::uint32_t layers) {
  contract::Program program;
  program.layers.resize(layers);
  for (std::uint32_t i = 0; i < layers; ++i) {
    program.layers[i].name = std::to_string(i);
    program.ops.push_back({Kind::begin_layer, 0, i});
    program.ops.insert(program.ops.end(), i, {Kind::software, 0, 1});
    program.ops.push_back({Kind::end_layer, 0, i});
  }
  return program;
}

// A cycle for each step and for each edge left; leaves its number of steps.
Ahead::Timed timed(const contract::LayerSteps& layer, int left) {
  Ahead::Timed timed;
  const int steps = static_cast<int>(layer.last - layer.first);
  timed.result.name = layer.plan->name;
  timed.result.cycles = steps + left;
  timed.left = steps;
  return timed;
}

// Returns every layer's cycles; layers for which `delays` says so are delayed.
std::vector<std::int64_t> run(const contract::Program& program, Ahead& ahead, bool (*delays)(int left),
                              const contract::ProgressCallback& progress = {}) {
  std::vector<std::int64_t> cycles;
  contract::LayerSteps layer;
  int left = 0;
  for (std::size_t at = 0; contract::next_layer(program, at, layer);) {
    const Ahead::Timed next = ahead.next(layer, left, delays(left), progress);
    CHECK(next.result.name == layer.plan->name);
    cycles.push_back(next.result.cycles);
    left = next.left;
  }
  return cycles;
}

bool never(int) { return false; }
bool over_three(int left) { return left > 3; }

}  // namespace

TEST_CASE("layers come in their order and each is timed once as if nothing was left") {
  const contract::Program program = program_of(40);
  std::vector<std::atomic<int>> times(40);
  Ahead ahead(program, true, 0, [&](const contract::LayerSteps& layer, int left, const contract::ProgressCallback&) {
    ++times[layer.last - layer.first];
    return timed(layer, left);
  });
  const std::vector<std::int64_t> cycles = run(program, ahead, never);
  REQUIRE(cycles.size() == 40);
  for (std::size_t i = 0; i < 40; ++i) {
    CHECK(cycles[i] == static_cast<std::int64_t>(i));
    CHECK(times[i] == 1);
  }
}

TEST_CASE("a layer that is delayed is timed with what was left on any number of cores") {
  for (const int cores : {1, 2, 0}) {
    base::allow_cores(cores);
    for (const bool wanted : {false, true}) {
      const contract::Program program = program_of(7);
      Ahead ahead(program, wanted, 0,
                  [](const contract::LayerSteps& layer, int left, const contract::ProgressCallback&) {
                    return timed(layer, left);
                  });
      CHECK(run(program, ahead, over_three) == std::vector<std::int64_t>{0, 1, 2, 3, 4, 9, 11});
    }
  }
  base::allow_cores(0);
}

TEST_CASE("what a layer's timing throws is thrown on when its turn comes and ends the rest") {
  const contract::Program program = program_of(6);
  Ahead ahead(program, true, 0, [](const contract::LayerSteps& layer, int left, const contract::ProgressCallback&) {
    if (layer.plan->name == "4") throw std::runtime_error("layer 4");
    return timed(layer, left);
  });
  CHECK_THROWS_WITH(run(program, ahead, never), "layer 4");
}

TEST_CASE("the progress callback ends a run from this thread while it times or waits and nothing hangs") {
  struct Stopped {};
  const auto here = std::this_thread::get_id();
  const contract::Program program = program_of(8);
  Ahead ahead(program, true, 0,
              [](const contract::LayerSteps& layer, int left, const contract::ProgressCallback& progress) {
                while (true) {
                  progress();
                  std::this_thread::sleep_for(std::chrono::milliseconds(1));
                }
                return timed(layer, left);
              });
  int asked = 0;
  CHECK_THROWS_AS(run(program, ahead, never,
                      [&] {
                        CHECK(std::this_thread::get_id() == here);
                        if (++asked == 5) throw Stopped{};
                      }),
                  Stopped);
  CHECK(asked == 5);
}

}  // namespace fansim::layers_ahead_test
