// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/bounds/roofline.h"

#include <catch2/catch.hpp>
#include <map>
#include <string>

#include "subject.h"

namespace fansim::stream_roofline_test {

using accelerators::program_of;

namespace {

stream::Config random_machine(base::Random& random) {
  stream::Config config = stream::Config::read(test::config("tiny_stream"), {});
  const auto set = [&config](const char* path, const std::string& text) {
    const std::string problem = contract::set_field(config, path, text);
    if (!problem.empty()) FAIL(problem);
  };
  const auto draw = [&](const char* path, int low, int high) { set(path, std::to_string(random.uniform(low, high))); };
  constexpr const char* kMultipliers[] = {"dsp48e2", "dsp48e2_dual_int8", "lut", "lut_reconfigurable", "lut_kernel"};
  set("array.multiplier", kMultipliers[random.uniform(0, 4)]);
  set("array.shadow_luts", random.chance(50) ? "true" : "false");
  draw("array.rows", 1, 6);
  draw("array.cols", 1, 6);
  const int inputs = 1 << random.uniform(0, 3);
  set("array.input_channels", std::to_string(inputs));
  set("array.output_channels", std::to_string(inputs * (inputs > 1 ? random.uniform(1, 2) : 2)));
  draw("buffers.weight_kib", 16, 64);
  draw("buffers.input_kib", 8, 32);
  draw("buffers.resident_kib", 0, 64);
  set("axi.data_bits", random.chance(50) ? "64" : "128");
  draw("axi.burst_beats", 1, 64);
  draw("axi.outstanding", 1, 16);
  set("ddr.fidelity", random.chance(50) ? "ideal" : "fixed");
  draw("ddr.read_latency", 1, 30);
  for (const char* path : {"dma.mm2s_start", "dma.mm2s_stream", "dma.s2mm_start", "dma.s2mm_store"}) draw(path, 1, 8);
  const int most = random.chance(50) ? 0 : 400;  // most software cycles; without software only jobs and transfers count
  for (const char* path : {"host.register_write", "host.interrupt", "host.dma_setup", "host.layer_setup"})
    draw(path, 0, most);
  draw("host.register_read", 1, 1 + most);
  set("schedule.loop_order", random.chance(50) ? "thesis" : "least_traffic");
  return config;
}

}  // namespace

TEST_CASE("no streamed layer of random machines takes less than its program's bound") {
  network::LoadOptions load;
  load.values = false;
  std::map<std::string, int> compared;  // by type
  double tightest = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    base::Random random(seed, "roofline");
    const stream::Config config = random_machine(random);
    if (!refusal(config).empty()) continue;
    for (const char* file :
         {"tiny_conv", "tiny_grouped", "tiny_mobile", "tiny_residual", "tiny_lstm", "tiny_gru", "lenet5"}) {
      const network::Network network = network::load_network(test::model(file), load);
      for (const int layer : timed_layers(network, config)) {
        const auto program = program_of(network, layer, config);
        if (!std::holds_alternative<contract::Program>(program)) continue;
        const auto& compiled = std::get<contract::Program>(program);
        const bool reloads = config.array.reloads();
        const stream::HostTrace trace = stream::timed_program(compiled, config).trace;
        const base::Cycles least = least_cycles(trace, config, reloads);
        const base::Cycles cycles = test::quiescent(config, compiled).cycles;
        CAPTURE(seed, file, layer, reloads);
        REQUIRE(least <= cycles);
        CHECK(least_cycles(trace, config, false) <= least);
        tightest = std::max(tightest, static_cast<double>(least) / static_cast<double>(cycles));
        ++compared[compiled.layers.front().type];
      }
    }
  }
  CAPTURE(tightest);
  CHECK(tightest > 0.95);
  for (const char* type : {"conv", "fc", "lstm", "gru"}) {
    CAPTURE(type);
    CHECK(compared[type] > 20);
  }
}

}  // namespace fansim::stream_roofline_test
