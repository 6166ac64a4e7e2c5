// SPDX-License-Identifier: Apache-2.0
// These tests run whole programs on the streaming accelerator's fast engine.
#include <catch2/catch.hpp>
#include <numeric>
#include <thread>

#include "accelerators/registry.h"
#include "network/network.h"

namespace fansim::stream_engine_test {

namespace {

std::unique_ptr<accelerators::Accelerator> accelerator_of(const std::vector<std::string>& settings = {}) {
  return accelerators::read_accelerator(std::string(FANSIM_SOURCE_DIR) + "/configs/systems/zcu102_stream.yaml",
                                        settings);
}

contract::Program program_of(const std::string& model, const accelerators::Accelerator& accelerator, bool values) {
  network::LoadOptions load;
  load.values = values;
  compile::Options options;
  options.values = values;
  const auto network = network::load_network(std::string(FANSIM_SOURCE_DIR) + "/models/" + model + ".yaml", load);
  return std::get<contract::Program>(accelerator.compile(network, options));
}

std::vector<contract::LayerResult> run(const std::string& model, const std::vector<std::string>& settings = {},
                                       bool values = false) {
  const auto accelerator = accelerator_of(settings);
  timing::EngineOptions options;
  options.values = values;
  return accelerator->run(program_of(model, *accelerator, values), options);
}

}  // namespace

// The layers are those of docs/timing.md, "Four layers counted by hand" and "Multipliers in LUTs".
TEST_CASE("the layers counted by hand take their cycles") {
  CHECK(run("hand_window").front().cycles == 7600);
  CHECK(run("hand_pointwise").front().cycles == 7596);
  CHECK(run("hand_sum").front().cycles == 8214);
  CHECK(run("hand_lstm_step").front().cycles == 9649);
  CHECK(run("hand_window", {"array.multiplier=lut_reconfigurable"}).front().cycles == 7623);
  CHECK(run("hand_window", {"array.multiplier=lut_reconfigurable", "array.shadow_luts=false"}).front().cycles == 7631);
  CHECK(run("hand_window", {"array.multiplier=lut"}).front().cycles == 7599);
  CHECK(run("hand_window", {"array.multiplier=dsp48e2_int8_chain", "array.terms=8"}).front().cycles == 7606);
}

TEST_CASE("every cycle of a layer is in one bucket") {
  for (const char* model : {"tiny_conv", "tiny_lstm", "tiny_gru", "tiny_residual", "tiny_mobile"}) {
    for (const contract::LayerResult& layer : run(model, {"ddr.fidelity=banked"})) {
      CAPTURE(model, layer.name);
      CHECK(std::accumulate(layer.buckets.begin(), layer.buckets.end(), base::Cycles{0}) == layer.cycles);
    }
  }
}

TEST_CASE("values change no cycle and neither do pins") {
  const auto cycles = [](const std::vector<contract::LayerResult>& layers) {
    std::vector<base::Cycles> all;
    for (const contract::LayerResult& layer : layers) all.push_back(layer.cycles);
    return all;
  };
  const auto without = cycles(run("tiny_conv"));
  CHECK(cycles(run("tiny_conv", {}, true)) == without);
  CHECK(cycles(run("tiny_conv", {"axi.pins=true"})) == without);
}

TEST_CASE("several runs at once disturb each other as little as one after another") {
  const auto alone = run("tiny_residual", {}, true), other = run("tiny_gru", {}, true);
  std::vector<std::vector<contract::LayerResult>> results(6);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < results.size(); ++i)
    threads.emplace_back([&, i] { results[i] = run(i % 2 == 0 ? "tiny_residual" : "tiny_gru", {}, true); });
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < results.size(); ++i) {
    const auto& expected = i % 2 == 0 ? alone : other;
    REQUIRE(results[i].size() == expected.size());
    for (std::size_t l = 0; l < expected.size(); ++l) CHECK(results[i][l].cycles == expected[l].cycles);
  }
}

TEST_CASE("a run ends early when asked to") {
  const auto accelerator = accelerator_of();
  timing::EngineOptions options;
  options.values = false;
  options.stop_requested = [] { return true; };
  CHECK(accelerator->run(program_of("tiny_conv", *accelerator, false), options).empty());
}

}  // namespace fansim::stream_engine_test
