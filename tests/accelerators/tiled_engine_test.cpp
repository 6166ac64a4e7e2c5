// SPDX-License-Identifier: Apache-2.0
// These tests run whole programs on the tiled accelerator's fast engine.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <ctime>
#include <thread>

#include "accelerators/registry.h"
#include "accelerators/tiled/compile/compile.h"
#include "accelerators/tiled/timing/tiled_engine.h"
#include "base/workers.h"
#include "contract/host_steps.h"
#include "network/codes/quantise.h"
#include "network/network.h"
#include "support/network_text.h"

namespace fansim::tiled_engine_test {

using timing::Edge;

namespace {

const std::string kShipped = std::string(FANSIM_SOURCE_DIR) + "/configs/systems/faq_zcu102_dorefa8.yaml";

tiled::Config shipped() { return tiled::Config::read(kShipped, {}); }

std::vector<contract::LayerResult> run(const contract::Program& program, timing::EngineOptions options = {}) {
  options.values = false;
  return accelerators::read_accelerator(kShipped, {})->run(program, options);
}

network::LoadOptions shapes() {
  network::LoadOptions load;
  load.values = false;
  return load;
}

network::Network quantised(network::Network network, const tiled::Config& config) {
  const arith::QuantisationMethods methods;
  network::quantise(network, {methods.find("dorefa"), 8, 8, arith::Grain::coarse, config.quantiser}, shapes());
  return network;
}

contract::Program compiled(const network::Network& network, const tiled::Config& config) {
  compile::Options options;
  options.values = false;
  return std::get<contract::Program>(compile_network(network, config, options));
}

contract::Program alexnet(const tiled::Config& config) {
  const std::string file = std::string(FANSIM_SOURCE_DIR) + "/models/alexnet.yaml";
  return compiled(quantised(network::load_network(file, shapes()), config), config);
}

std::vector<Edge> cycles(const std::vector<contract::LayerResult>& layers) {
  std::vector<Edge> all;
  for (const contract::LayerResult& layer : layers) {
    all.push_back(layer.cycles);
    all.insert(all.end(), layer.buckets.begin(), layer.buckets.end());
  }
  return all;
}

}  // namespace

TEST_CASE("a layer by itself takes as long as in its program") {
  const tiled::Config config = shipped();
  const contract::Program program = alexnet(config);
  const std::vector<contract::LayerResult> whole = run(program);
  std::size_t layer = 0, at = 0;
  for (contract::LayerSteps steps; contract::next_layer(program, at, steps);) {
    tiled::TiledGaps gaps;
    const contract::LayerResult alone = tiled::run_tiled_layer(config, program, steps, gaps);
    CHECK(cycles({alone}) == cycles({whole.at(layer++)}));
  }
  CHECK(layer == 8);
}

TEST_CASE("the time for a layer of many jobs grows with their number and not with its square") {
  const tiled::Config config = shipped();
  const auto layer = [&](int groups) {
    const auto network =
        quantised(test::network_of(fmt::format("input: {{shape: [{0}, 2, 2]}}\nlayers:\n"
                                               "  - {{name: c, type: conv, filters: {0}, groups: {0}, kernel: 1}}\n",
                                               groups)),
                  config);
    const clock_t begin = std::clock();
    const Edge taken = run(compiled(network, config)).at(0).cycles;
    return std::pair{taken, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC};
  };
  const Edge few = layer(64).first;
  const auto [many, seconds] = layer(8192);
  CHECK(many > 100 * few);
  CHECK(seconds < 4);  // 0.1 s; with the square 16 s and more
}

TEST_CASE("two threads may time programs at once") {
  const contract::Program program = alexnet(shipped());
  const std::vector<Edge> expected = cycles(run(program));
  std::vector<Edge> one, other;
  std::thread first([&] { one = cycles(run(program)); });
  std::thread second([&] { other = cycles(run(program)); });
  first.join();
  second.join();
  CHECK(one == expected);
  CHECK(other == expected);
}

TEST_CASE("a tiled run reports its progress and ends early behind the layer at which it is asked to") {
  const contract::Program program = alexnet(shipped());
  std::vector<std::string> names;
  std::vector<double> fractions;
  timing::EngineOptions options;
  options.on_layer = [&](const contract::LayerPlan& plan, const std::uint8_t*, contract::LayerResult&) {
    names.push_back(plan.name);
  };
  options.on_progress = [&](double fraction) { fractions.push_back(fraction); };
  CHECK(run(program, options).size() == 8);
  CHECK(names == std::vector<std::string>{"conv1", "conv2", "conv3", "conv4", "conv5", "fc6", "fc7", "fc8"});
  CHECK(std::is_sorted(fractions.begin(), fractions.end()));
  CHECK(fractions.back() == 1.0);
  options.stop_requested = [&] { return names.back() == "conv3"; };
  CHECK(run(program, options).size() == 3);
}

TEST_CASE("a fast run ends within a layer when it is asked to") {
  base::allow_cores(1);  // on more, others time layers without asking
  const contract::Program program = alexnet(shipped());
  int asked = 0;
  timing::EngineOptions options;
  options.stop_requested = [&] { return ++asked == 20; };
  const std::size_t whole = run(program, options).size();
  CHECK(asked == 20);
  CHECK(whole < 8);
  asked = 1000;
  run(program, options);
  CHECK(asked > 1000 + 4 * 8);  // more often than between layers
  base::allow_cores(0);
}

}  // namespace fansim::tiled_engine_test
