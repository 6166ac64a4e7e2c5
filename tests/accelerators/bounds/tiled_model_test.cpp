// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/bounds/tiled_model.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <map>
#include <string>

#include "accelerators/tiled/bounds/roofline.h"
#include "accelerators/tiled/compile/engine_choice.h"
#include "accelerators/tiled/replay/replayed_layer.h"
#include "base/random.h"
#include "subject.h"

namespace fansim::tiled_model_test {

using accelerators::program_of;
using explore::Metric;

namespace {

using Subject = test::Subject<tiled::TiledModel, tiled::Config>;
using test::neighbours;
using test::quiescent;

}  // namespace

TEST_CASE("bounds of a tiled accelerator contain every point of their box") {
  Subject tiny("tiny_tiled", test::model("lenet5"));
  test::check_bounds(tiny.space, tiny.model, 150, 1);
  Subject paper("faq_alexnet", test::model("alexnet"));
  test::check_bounds(paper.space, paper.model, 25, 2);
}

// Each field of each block takes one of its values.
TEST_CASE("no layer is faster than its tiles' least way through the stages whatever the machine") {
  network::LoadOptions load;
  load.values = false;
  base::Random random(4);
  double compared = 0, share = 0;
  for (const char* name : {"lenet5", "alexnet"}) {
    const network::Network plain = network::load_network(test::model(name), load);
    for (int trial = 0; trial < (name == std::string("lenet5") ? 150 : 12); ++trial) {
      tiled::Config config = tiled::Config::read(test::config("faq_zcu102_dorefa8"), {});
      config.conv.tm = random.uniform(4, 96);
      config.conv.tn = random.uniform(1, 24);
      config.conv.dsp_channels = 0;
      config.fc.tm = random.uniform(1, 32);
      config.fc.tn = random.uniform(1, 16);
      for (tiled::EngineConfig* engine : {&config.conv, &config.first}) {
        engine->input_words = random.uniform(256, 4096);
        engine->output_words = random.uniform(32, 2048);
        engine->double_buffer = random.chance(60);
      }
      config.weights.double_buffer = random.chance(50);
      config.weights.kib = 512;
      config.load.order = random.chance(70) ? tiled::LoadOrder::serial : tiled::LoadOrder::parallel;
      config.load.reorganise = random.chance(80);
      for (int* bits : {&config.load.input_bits, &config.load.weight_bits, &config.port.data_bits})
        *bits = 32 << random.uniform(0, 4);
      config.store.bits = 32 << random.uniform(0, 3);
      for (int* beats : {&config.load.input_burst_beats, &config.load.weight_burst_beats, &config.store.burst_beats})
        *beats = 1 << random.uniform(0, 8);
      config.load.outstanding = random.uniform(1, 16);
      config.load.gap = random.uniform(0, 3);
      config.port.outstanding = random.uniform(1, 16);
      config.store.lanes = random.uniform(1, 64);
      config.store.words = random.uniform(32, 1024);
      config.ddr.read_latency = random.uniform(1, 80);
      config.ddr.refresh_interval = random.uniform(500, 3000);
      config.clock_converter.sync_stages = random.uniform(2, 4);
      if (random.chance(10)) config.ddr.fidelity = contract::DdrFidelity::ideal;
      config.port_mhz = base::Rational{random.uniform(100, 400), 1};
      if (!refusal(config).empty()) continue;
      network::Network network = plain;
      prepare(network, config, load);
      for (const int layer : timed_layers(network, config)) {
        const auto program = program_of(network, layer, config);
        if (std::holds_alternative<std::string>(program)) continue;
        const auto cycles = static_cast<double>(quiescent(config, std::get<contract::Program>(program)).cycles);
        const double least = least_cycles(std::get<contract::Program>(program), config);
        CAPTURE(name, trial, layer, cycles, least, config.port_mhz.value(),
                config.load.order == tiled::LoadOrder::serial);
        REQUIRE(least <= cycles);
        ++compared;
        share += least / cycles;
      }
    }
  }
  CHECK(compared > 200);
  CHECK(share / compared > 0.7);
}

TEST_CASE("a point's cycles are those of its layers on one tiled machine whatever was simulated before") {
  Subject subject("tiny_tiled", test::model("lenet5"));
  test::check_points(subject, test::model("lenet5"), 40, 3);
}

TEST_CASE("a concatenation by placement takes no time in a search of tiled machines") {
  const test::Joined network;
  Subject subject("tiny_tiled", network.file);
  test::check_points(subject, network.file, 40, 5);
  test::check_bounds(subject.space, subject.model, 60, 6);
}

TEST_CASE("a loader's gap that outlives its layer is counted where it delays the next") {
  Subject subject("tiny_tiled", test::model("lenet5"));
  for (const int gap : {0, 300, 1000}) {
    for (const char* order : {"serial", "parallel"}) {
      CAPTURE(gap, order);
      tiled::Config config = subject.base;
      config.conv.tm = 16;
      config.conv.tn = 4;
      config.load.gap = gap;
      config.load.order = order == std::string("serial") ? tiled::LoadOrder::serial : tiled::LoadOrder::parallel;
      config.host.layer_setup = config.host.register_write = config.host.interrupt = 0;
      const auto [with, without] = test::layer_by_layer(config, test::model("lenet5"));
      CHECK(with == test::cycles_of(config, test::model("lenet5")));
      CHECK((with == without) == (gap < 1000));
    }
  }
}

// Changes every field of every block, one at a time.
TEST_CASE("layers with the same key take the same cycles and bytes whatever field differs") {
  const tiled::Config base = tiled::Config::read(
      test::config("faq_zcu102_dorefa8"),
      {"conv.tm=16", "conv.tn=4", "conv.dsp_channels=4", "first.tm=6", "first.tn=1", "first.input_words=256",
       "first.output_words=256", "fc.tm=4", "fc.tn=4", "weights.kib=4", "weights.fc_kib=1", "conv.input_words=64",
       "conv.output_words=32", "store.words=64", "fc.input_words=32", "fc.output_words=32"});
  network::LoadOptions load;
  load.values = false;
  const network::Network plain = network::load_network(test::model("lenet5"), load);
  const auto program_with = [&](const tiled::Config& config, int layer) {
    network::Network network = plain;
    prepare(network, config, load);
    return program_of(network, layer, config);
  };
  network::Network prepared = plain;
  prepare(prepared, base, load);
  int same = 0, different = 0, slower = 0, shared = 0;
  std::map<std::string, tiled::PathTables> tables;  // those of layers of any configuration whose paths are alike
  for (const int layer : timed_layers(prepared, base)) {
    const auto reference = std::get<contract::Program>(program_with(base, layer));
    const std::string key = timing_key(base, reference, {});
    const contract::LayerResult expected = quiescent(base, reference);
    const network::Layer& of_network = prepared.layers[static_cast<std::size_t>(layer)];
    const int engine = tiled::engine_of(of_network, base);
    for (const auto& [path, changed] : neighbours(base)) {
      CAPTURE(layer, path);
      const auto program = program_with(changed, layer);
      const bool alike = engine_key(changed, tiled::engine_of(of_network, changed)) == engine_key(base, engine);
      if (alike) REQUIRE(std::holds_alternative<contract::Program>(program));
      if (std::holds_alternative<std::string>(program)) continue;
      const auto& compiled = std::get<contract::Program>(program);
      if (alike) CHECK(timing_key(changed, compiled, {}) == key);
      shared += alike ? 1 : 0;
      accelerators::Gaps none;
      const contract::LayerResult with_tables = time_layer(changed, compiled, none, tables[paths_key(changed)]);
      const bool equal = timing_key(changed, compiled, {}) == key;
      if (!tiled::times_depend_on(path, engine)) CHECK(equal);
      const contract::LayerResult result = quiescent(changed, compiled);
      CHECK(with_tables.cycles == result.cycles);
      CHECK(least_cycles(compiled, changed) <= static_cast<double>(result.cycles));
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
  CHECK(shared > 20);
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

TEST_CASE("a value that the configuration does not take is a misfit with the reader's words") {
  Subject subject("tiny_tiled", test::model("lenet5"));
  const auto refused = [&](const std::vector<std::string>& overrides) {
    return std::get<std::string>(test::configured(subject.space, subject.base, overrides));
  };
  const std::size_t set = subject.space.set.size();
  std::vector<std::string> overrides = subject.space.set;
  overrides.emplace_back("conv.tm=600");
  CHECK(refused(overrides) == "conv: tm 600 is out of range; allowed: an integer 1..512");
  overrides[set] = "conv.tn=0";
  CHECK(refused(overrides) == "conv: tn 0 is out of range; allowed: an integer 1..512");
  overrides[set] = "load.weight_bits=48";
  CHECK(refused(overrides) == "load: weight_bits 48 is not a port width; allowed: 8, 16, ... 512");
  overrides[set] = "conv.macs=sdp";
  CHECK(refused(overrides) == "--set conv.macs=sdp: conv: macs 'sdp' unknown; did you mean 'dsp'?");
  overrides[set] = "clock_mhz=fast";
  CHECK(refused(overrides) == "clock_mhz 'fast' is no clock");
}

}  // namespace fansim::tiled_model_test
