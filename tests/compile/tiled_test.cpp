// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>

#include "arch/channel_parameters.h"
#include "arch/map_runs.h"
#include "compile/check.h"
#include "compile/tiled/channel_parameters.h"
#include "compile/tiled/compile_tiled.h"
#include "compile/tiled/engine_choice.h"
#include "network/quantise.h"

using namespace fansim;
using arch::TiledConfig;

namespace {

TiledConfig config_of(int bits = 8) {
  TiledConfig config;
  config.conv = {8, 4};
  config.conv.input_words = 64, config.conv.output_words = 64;
  config.fc = {4, 4};
  config.fc.input_words = 16;
  config.weights.kib = config.weights.fc_kib = 4;
  config.store.words = 64;
  config.quantisation.activation_bits = config.quantisation.weight_bits = bits;
  return config;
}

network::Network network_of(const std::string& layers, const TiledConfig& config,
                            const std::string& shape = "[5, 12, 10]") {
  network::Network network = test::network_of("input: {shape: " + shape + "}\nlayers:\n" + layers, 1);
  const arith::QuantisationMethods methods;
  const arch::QuantisationConfig& q = config.quantisation;
  network::quantise(network, {methods.find("dorefa"), q.weight_bits, q.activation_bits, arith::Grain::coarse, {}}, {});
  return network;
}

arch::Program program_of(const std::string& layers, const TiledConfig& config,
                         const std::string& shape = "[5, 12, 10]") {
  auto compiled = compile::compile(network_of(layers, config, shape), config);
  if (const auto* no = std::get_if<compile::Unschedulable>(&compiled)) FAIL(no->layer << ": " << no->reason);
  return std::get<arch::Program>(compiled);
}

std::string refusal(const std::string& layers, const TiledConfig& config, const std::string& shape = "[5, 12, 10]") {
  auto compiled = compile::compile(network_of(layers, config, shape), config);
  const auto* no = std::get_if<compile::Unschedulable>(&compiled);
  return no ? no->layer + ": " + no->reason : "fits";
}

// The bytes that every tile of a job writes; false if two tiles write one byte.
bool tiles_apart(const arch::TiledJob& job, const TiledConfig& config) {
  const arch::Encoding e = config.output_encoding();
  const arch::TileNest nest(job, config.engine(job.engine));
  std::vector<int> writer(1 << 20, -1);
  int tile = 0;
  for (int m = 0; m < nest.m_tiles(); ++m)
    for (int y = 0; y < nest.y_tiles(); ++y)
      for (int x = 0; x < nest.x_tiles(); ++x, ++tile) {
        arch::MapRuns runs(output_place(job), e, m * nest.tm(), nest.out_channels(m), nest.output(y, x));
        while (!runs.done()) {
          const arch::Run run = runs.next();
          for (int i = run.skip; i < run.skip + run.values; ++i) {
            const std::size_t byte =
                run.address - job.output_address +
                static_cast<std::size_t>(i / e.per_beat() * e.beat_bytes() + e.bit_of(i % e.per_beat()) / 8);
            if (writer.at(byte) >= 0 && writer[byte] != tile) return false;
            writer[byte] = tile;
          }
        }
      }
  return true;
}

}  // namespace

TEST_CASE("a tile is held by every store, and no other tiling computes fewer sums in fewer tiles") {
  const TiledConfig config = config_of();
  const arch::Program program = program_of(
      "  - {name: c, type: conv, filters: 9, kernel: 3, padding: 1}\n  - {name: p, type: maxpool, kernel: 2}\n",
      config);
  const arch::TiledJob& job = program.layers.at(0).jobs.at(0);
  const arch::TileNest nest(job, config.conv);
  for (int y = 0; y < nest.y_tiles(); ++y)
    for (int x = 0; x < nest.x_tiles(); ++x) {
      const arch::Region out = nest.output(y, x), sums = nest.sums(out);
      CHECK(out.size() <= 64);
      CHECK(sums.size() <= 64);
      CHECK(nest.input(sums).size() <= 64);
    }
  // 12 x 10 sums in one input channel of 64 words: two rows and two columns of tiles at least, 6 x 5 sums of 7 x 6
  // or 8 x 7 inputs each; three tiles of whole columns would need 6 x 10 inputs at 4 rows, which fit too.
  CHECK(nest.y_tiles() * nest.x_tiles() == 3);
  CHECK(nest.points() == std::int64_t{12} * 10 * 9 * 2 * 2);
}

TEST_CASE("poolings that overlap over a border compute as few sums twice as the stores allow") {
  TiledConfig config = config_of();
  const std::string layers =
      "  - {name: c, type: conv, filters: 8, kernel: 1}\n  - {name: p, type: maxpool, kernel: 3, stride: 2}\n";
  config.conv.output_words = config.conv.input_words = 120;
  const arch::Program whole = program_of(layers, config);
  const arch::TiledJob& job = whole.layers.at(0).jobs.at(0);
  CHECK(job.tile_rows == job.out_rows);
  CHECK(job.tile_columns == job.out_columns);
}

TEST_CASE("the first layer's engine takes convolutions of the input that its channels hold") {
  TiledConfig config = config_of();
  config.first = {4, 5};
  const network::Network network = network_of(
      "  - {name: a, type: conv, filters: 6, kernel: 3}\n  - {name: b, type: conv, filters: 6, kernel: 3}\n"
      "  - {name: f, type: fc, units: 3}\n",
      config);
  CHECK(compile::engine_of(network.layers[0], config) == TiledConfig::kFirst);
  CHECK(compile::engine_of(network.layers[1], config) == TiledConfig::kConv);
  CHECK(compile::engine_of(network.layers[2], config) == TiledConfig::kFc);
  config.first.tn = 4;
  CHECK(compile::engine_of(network.layers[0], config) == TiledConfig::kConv);
  config.fc = {};
  CHECK(compile::engine_of(network.layers[2], config) == TiledConfig::kConv);
}

TEST_CASE("values that share bytes are laid out so that no two tiles write one, no more padded than that takes") {
  for (const int bits : {1, 2, 3, 5, 8}) {
    const TiledConfig config = config_of(bits);
    // Tiles of rows: 7 columns of few bits fill no word, so rows are padded; one tile: nothing is.
    const arch::Program cut = program_of("  - {name: c, type: conv, filters: 9, kernel: 3}\n", config, "[4, 30, 9]");
    const arch::Program whole = program_of("  - {name: c, type: conv, filters: 8, kernel: 3}\n", config, "[4, 9, 7]");
    CAPTURE(bits);
    CHECK(tiles_apart(cut.layers[0].jobs[0], config));
    CHECK(tiles_apart(whole.layers[0].jobs[0], config));
    CHECK(whole.layers[0].jobs[0].out_row == 5);
    CHECK(whole.layers[0].jobs[0].out_plane == 35);
    CHECK(cut.layers[0].jobs[0].out_row == (bits == 8 ? 7 : base::round_up(7, config.output_encoding().per_word())));
  }
}

TEST_CASE("an FC tile fills its store without padding where the layer's factors allow") {
  TiledConfig config = config_of();
  const arch::Program program = program_of("  - {name: f, type: fc, units: 100}\n", config, "[64, 1, 1]");
  const arch::TiledJob& job = program.layers[0].jobs[0];
  const arch::TileNest nest(job, config.fc);
  CHECK(job.fc_steps * job.fc_groups * 16 <= 4096);
  CHECK(nest.points() == 25 * 16);
  CHECK(job.fc_groups >= arch::EngineConfig::accumulate_latency(false));
}

TEST_CASE("what the tiled accelerator cannot do names the layer and what it needs of what there is") {
  const TiledConfig config = config_of();
  CHECK(refusal("  - {name: c, type: conv, filters: 8, kernel: 3, padding: [1, 0, 0, 0]}\n", config) ==
        "c: padding differs between sides: an instruction has one for all");
  CHECK(refusal("  - {name: p, type: maxpool, kernel: 2}\n", config) ==
        "p: a pooling runs on the tiled accelerator only behind a convolution that nothing else reads");
  CHECK(refusal("  - {name: c, type: conv, filters: 8, kernel: 9}\n", config) == "c: weight tile: 10,368 B of 4,096");
  CHECK(refusal("  - {name: c, type: conv, filters: 8, kernel: 5}\n  - {name: p, type: maxpool, kernel: 6}\n",
                config) == "c: a tile of one output needs 100 input words of 64, 36 sums of 64");
  CHECK(refusal("  - {name: a, type: relu}\n", config) == "a: the tiled accelerator has no engine for relu");
  TiledConfig few = config;
  few.fc.output_words = 2;
  CHECK(refusal("  - {name: f, type: fc, units: 100}\n", few) == "f: fc: output_words: 25 of 2");
  TiledConfig bits = config_of(1);
  bits.fc = {};
  CHECK(refusal("  - {name: c, type: conv, filters: 9, kernel: 3}\n  - {name: f, type: fc, units: 3}\n", bits,
                "[4, 9, 7]") == "c: a vector of 1-bit values in planes of 35: tiles would share words of 32 bits");
}

TEST_CASE("a layer's job does not depend on which other layers are chosen, its addresses apart") {
  const TiledConfig config = config_of();
  const std::string layers =
      "  - {name: a, type: conv, filters: 8, kernel: 3}\n  - {name: b, type: conv, filters: 12, kernel: 3}\n"
      "  - {name: f, type: fc, units: 7}\n";
  const network::Network network = network_of(layers, config);
  const arch::Program all = std::get<arch::Program>(compile::compile(network, config));
  for (int chosen = 0; chosen < 3; ++chosen) {
    compile::Options options;
    options.layers = {chosen};
    options.values = false;
    const arch::Program one = std::get<arch::Program>(compile::compile(network, config, options));
    arch::TiledJob a = all.layers[static_cast<std::size_t>(chosen)].jobs[0], b = one.layers[0].jobs[0];
    for (arch::TiledJob* job : {&a, &b})
      job->input_address = job->weight_address = job->parameter_address = job->output_address = 0;
    CHECK(arch::print(a) == arch::print(b));
  }
}

TEST_CASE("a bias holds the share of the input's zero point, beyond 32 bits too, or is refused") {
  network::Layer layer = network_of("  - {name: wide, type: fc, units: 20}\n", config_of(16), "[64, 12, 10]").layers[0];
  layer.in_zero_point = -30000;
  std::vector<std::uint8_t> records(20 * compile::kParameterBytes);
  compile::write_parameters(layer, 0, records.data());
  bool wide = false;
  for (std::size_t output = 0; output < 20; ++output) {
    std::int64_t bias = layer.bias[output];
    for (std::size_t i = 0; i < 7680; ++i) bias += 30000 * std::int64_t{layer.weight_integer(output * 7680 + i)};
    const arch::ChannelParameters record = arch::parameters_of(records.data() + output * compile::kParameterBytes);
    CHECK(record.bias == bias);
    CHECK(record.scale == layer.requantise(static_cast<int>(output)).scale);
    CHECK(record.shift == layer.requantise(static_cast<int>(output)).shift);
    wide |= bias != static_cast<std::int32_t>(bias);
  }
  CHECK(wide);
  std::fill(layer.weights.begin(), layer.weights.end(), std::int8_t{0x7f});
  CHECK_THROWS_WITH(compile::write_parameters(layer, 0, records.data()),
                    Catch::Contains("wide: output 0's bias") && Catch::Contains("beyond 40 bits"));
}
