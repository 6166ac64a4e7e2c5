// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <thread>

#include "base/random.h"
#include "compile/tiled/compile_tiled.h"
#include "network/network.h"
#include "network/quantise.h"
#include "rules/clock_crossing.h"
#include "sim/pipeline.h"
#include "timing/tiled/clocks.h"
#include "timing/tiled/tiled_engine.h"
#include "timing/tiled/two_stage_pipe.h"

using namespace fansim;
using timing::Edge;

namespace {

arch::TiledConfig shipped() {
  return arch::load_tiled_config(std::string(FANSIM_SOURCE_DIR) + "/configs/systems/faq_zcu102_dorefa8.yaml", {});
}

arch::Program alexnet(const arch::TiledConfig& config) {
  network::LoadOptions load;
  load.values = false;
  auto network = network::load_network(std::string(FANSIM_SOURCE_DIR) + "/models/alexnet.yaml", load);
  const arith::QuantisationMethods methods;
  network::quantise(network, {methods.find("dorefa"), 8, 8, arith::Grain::coarse, config.quantiser}, load);
  compile::Options options;
  options.values = false;
  return std::get<arch::Program>(compile::compile(network, config, options));
}

std::vector<Edge> cycles(const std::vector<arch::LayerResult>& layers) {
  std::vector<Edge> all;
  for (const arch::LayerResult& layer : layers) {
    all.push_back(layer.cycles);
    all.insert(all.end(), layer.buckets.begin(), layer.buckets.end());
  }
  return all;
}

// The edges at which `items`, each there from its edge on, enter and leave a pipeline before a stream whose reader
// takes them at `popped`, edge by edge.
struct Passage {
  std::vector<Edge> entered, left;
};
Passage step_by_step(const std::vector<Edge>& items, const std::vector<Edge>& popped) {
  Passage passage;
  sim::Pipeline<int> pipeline(2);
  for (Edge now = 1; passage.left.size() < items.size(); ++now) {
    if (pipeline.out_valid()) {
      const std::size_t i = passage.left.size();
      if (i >= 2 && popped[i - 2] >= now) continue;  // two are in the stream
      passage.left.push_back(now);
    }
    pipeline.advance();
    const std::size_t next = passage.entered.size();
    if (next < items.size() && items[next] <= now) {
      pipeline.enter() = 0;
      passage.entered.push_back(now);
    }
  }
  return passage;
}

}  // namespace

TEST_CASE("edges are scaled exactly for clocks of any ratio") {
  base::Random random(7);
  for (int i = 0; i < 20000; ++i) {
    const int most = random.chance(50) ? 100 : 2'000'000;
    const base::Rational from{random.uniform(1, most), random.uniform(1, most)};
    const base::Rational to{random.uniform(1, most), random.uniform(1, most)};
    const Edge edge = random.chance(50) ? random.uniform(0, 100) : random.uniform(0, 2'000'000'000);
    INFO(fmt::format("edge {} from {} to {} MHz", edge, from.text(), to.text()));
    const timing::EdgeRatio ratio(from, to);
    REQUIRE(ratio.floor(edge) + 2 == rules::crossing_edge(edge, from, to, 2));
    const bool whole = timing::EdgeRatio(to, from).floor(ratio.floor(edge)) == edge;
    REQUIRE(ratio.ceil(edge) - ratio.floor(edge) == (whole ? 0 : 1));
  }
}

TEST_CASE("a pipeline of two stages is held as the clocked one is") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    INFO("seed " << seed);
    base::Random random(seed);
    const int slow = random.uniform(0, 3), late = random.uniform(0, 3);
    std::vector<Edge> items, popped;
    timing::TwoStagePipe pipe;
    std::vector<Edge> entered, left;
    for (std::size_t i = 0; i < 40; ++i) {
      items.push_back((i == 0 ? 0 : items[i - 1]) + 1 + (random.chance(40) ? random.uniform(0, late) : 0));
      if (pipe.entered() == static_cast<std::int64_t>(i)) REQUIRE(pipe.enter(items[i]));
      entered.push_back(pipe.entered(static_cast<std::int64_t>(i)));
      pipe.leave(i < 2 ? 0 : popped[i - 2] + 1);
      left.push_back(pipe.left(static_cast<std::int64_t>(i)));
      popped.push_back(std::max(left[i], i == 0 ? 0 : popped[i - 1]) + 1 +
                       (random.chance(40) ? random.uniform(0, slow) : 0));
    }
    const Passage expected = step_by_step(items, popped);
    REQUIRE(entered == expected.entered);
    REQUIRE(left == expected.left);
  }
}

TEST_CASE("a layer by itself takes as long as in its program") {
  const arch::TiledConfig config = shipped();
  const arch::Program program = alexnet(config);
  const std::vector<arch::LayerResult> whole = timing::run_tiled(config, program);
  std::vector<arch::HostOp> steps;
  std::size_t layer = 0;
  for (const arch::HostOp& op : program.ops) {
    if (op.kind == arch::HostOp::Kind::begin_layer) steps.clear();
    if (op.kind == arch::HostOp::Kind::software || op.kind == arch::HostOp::Kind::write_core ||
        op.kind == arch::HostOp::Kind::wait_output)
      steps.push_back(op);
    if (op.kind != arch::HostOp::Kind::end_layer) continue;
    timing::TiledGaps gaps;
    const arch::LayerResult alone = timing::run_tiled_layer(config, program.layers[op.value], steps, gaps);
    CHECK(cycles({alone}) == cycles({whole[layer++]}));
  }
  CHECK(layer == 8);
}

TEST_CASE("two threads may time programs at once") {
  const arch::TiledConfig config = shipped();
  const arch::Program program = alexnet(config);
  const std::vector<Edge> expected = cycles(timing::run_tiled(config, program));
  std::vector<Edge> one, other;
  std::thread first([&] { one = cycles(timing::run_tiled(config, program)); });
  std::thread second([&] { other = cycles(timing::run_tiled(config, program)); });
  first.join(), second.join();
  CHECK(one == expected);
  CHECK(other == expected);
}

TEST_CASE("a tiled run reports its progress, and ends early behind the layer at which it is asked to") {
  const arch::TiledConfig config = shipped();
  std::vector<std::string> names;
  std::vector<double> fractions;
  timing::EngineOptions options;
  options.values = false;
  options.on_layer = [&](const arch::LayerPlan& plan, const std::uint8_t*, arch::LayerResult&) {
    names.push_back(plan.name);
  };
  options.on_progress = [&](double fraction) { fractions.push_back(fraction); };
  CHECK(timing::run_tiled(config, alexnet(config), options).size() == 8);
  CHECK(names == std::vector<std::string>{"conv1", "conv2", "conv3", "conv4", "conv5", "fc6", "fc7", "fc8"});
  CHECK(std::is_sorted(fractions.begin(), fractions.end()));
  CHECK(fractions.back() == 1.0);
  options.stop_requested = [&] { return names.back() == "conv3"; };
  CHECK(timing::run_tiled(config, alexnet(config), options).size() == 3);
}
