// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <ctime>

#include "accelerators/tiled/compile/compile.h"
#include "accelerators/tiled/compile/engine_choice.h"
#include "accelerators/tiled/compile/parameter_records.h"
#include "accelerators/tiled/compile/tile_size.h"
#include "accelerators/tiled/config/channel_parameters.h"
#include "accelerators/tiled/config/layer_jobs.h"
#include "accelerators/tiled/config/map_runs.h"
#include "base/random.h"
#include "base/units.h"
#include "network/codes/quantise.h"
#include "support/network_text.h"

namespace fansim::compile_test {

using tiled::Config;

namespace {

tiled::Config config_of(int bits = 8) {
  tiled::Config config;
  config.conv = {8, 4};
  config.conv.input_words = 64;
  config.conv.output_words = 64;
  config.fc = {4, 4};
  config.fc.input_words = 16;
  config.weights.kib = config.weights.fc_kib = 4;
  config.store.words = 64;
  config.quantisation.activation_bits = config.quantisation.weight_bits = bits;
  return config;
}

network::Network network_of(const std::string& layers, const tiled::Config& config,
                            const std::string& shape = "[5, 12, 10]") {
  network::Network network = test::network_of("input: {shape: " + shape + "}\nlayers:\n" + layers);
  const arith::QuantisationMethods methods;
  const tiled::QuantisationConfig& q = config.quantisation;
  network::quantise(network, {methods.find("dorefa"), q.weight_bits, q.activation_bits, arith::Grain::coarse, {}}, {});
  return network;
}

contract::Program program_of(const std::string& layers, const tiled::Config& config,
                             const std::string& shape = "[5, 12, 10]") {
  auto compiled = compile_network(network_of(layers, config, shape), config);
  if (const auto* no = std::get_if<compile::Unschedulable>(&compiled)) FAIL(no->layer << ": " << no->reason);
  return std::get<contract::Program>(compiled);
}

std::string refusal(const std::string& layers, const tiled::Config& config, const std::string& shape = "[5, 12, 10]",
                    bool strict = false) {
  compile::Options options;
  options.strict = strict;
  auto compiled = compile_network(network_of(layers, config, shape), config, options);
  const auto* no = std::get_if<compile::Unschedulable>(&compiled);
  return no ? no->layer + ": " + no->reason : "fits";
}

const tiled::TiledJob& job_of(const contract::Program& program, std::size_t layer = 0) {
  return tiled::layer_jobs_of(program.layers.at(layer)).jobs.at(0);
}

// Collects the bytes that every tile of a job writes; returns false if two tiles write the same byte.
bool tiles_apart(const tiled::TiledJob& job, const tiled::Config& config) {
  const tiled::Encoding e = config.output_encoding();
  const tiled::TileNest nest(job, config.engine(job.engine));
  std::vector<int> writer(1 << 20, -1);
  int tile = 0;
  for (int m = 0; m < nest.m_tiles(); ++m)
    for (int y = 0; y < nest.y_tiles(); ++y)
      for (int x = 0; x < nest.x_tiles(); ++x, ++tile) {
        tiled::MapExtents runs(output_place(job), e, m * nest.tm(), nest.out_channels(m), nest.output(y, x));
        while (!runs.done()) {
          const tiled::Extent run = runs.next();
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

TEST_CASE("a tile is held by every store and no other tiling computes fewer sums in fewer tiles") {
  const tiled::Config config = config_of();
  const contract::Program program = program_of(
      "  - {name: c, type: conv, filters: 9, kernel: 3, padding: 1}\n  - {name: p, type: maxpool, kernel: 2}\n",
      config);
  const tiled::TiledJob& job = job_of(program);
  const tiled::TileNest nest(job, config.conv);
  for (int y = 0; y < nest.y_tiles(); ++y)
    for (int x = 0; x < nest.x_tiles(); ++x) {
      const tiled::Region out = nest.output(y, x), sums = nest.sums(out);
      CHECK(out.size() <= 64);
      CHECK(sums.size() <= 64);
      CHECK(nest.input(sums).size() <= 64);
    }
  // 12 x 10 sums in one input channel of 64 words: two rows and two columns of tiles at least, 6 x 5 sums of 7 x 6
  // or 8 x 7 inputs each; three tiles of whole columns would need 6 x 10 inputs at 4 rows, which fit too.
  CHECK(nest.y_tiles() * nest.x_tiles() == 3);
  CHECK(nest.points() == std::int64_t{12} * 10 * 9 * 2 * 2);
}

TEST_CASE("a layer that its instruction cannot name does not fit and the field is named") {
  const tiled::Config config = config_of();
  const auto conv = [](int filters, int groups = 1) {
    return fmt::format("  - {{name: c, type: conv, filters: {}, groups: {}, kernel: 1}}\n", filters, groups);
  };
  const std::string fc = "  - {name: f, type: fc, units: 4}\n";
  const auto wide = [](const char* what, int value, int bits = 16) {
    return fmt::format("job field {}: {} does not fit its {} bits", what, value, bits);
  };
  CHECK(refusal(fc, config, "[65536, 1, 1]") == "f: " + wide("in_channels", 65536));
  CHECK(refusal(conv(1), config, "[65536, 1, 1]") == "c: " + wide("in_channels", 65536));
  CHECK(refusal(conv(65536), config, "[1, 1, 1]") == "c: " + wide("out_channels", 65536));
  CHECK(refusal(conv(1), config, "[1, 65536, 1]") == "c: " + wide("height", 65536));
  CHECK(refusal(conv(1), config, "[1, 1, 65536]") == "c: " + wide("width", 65536));
  CHECK(refusal(conv(65537, 65537), config, "[65537, 1, 1]") == "c: " + wide("out_block_channels", 65537));
  CHECK(refusal(conv(1) + "  - {name: p, type: maxpool, kernel: 2, stride: 256}\n", config, "[1, 258, 4]") ==
        "c: " + wide("pool_stride", 256, 8));
}

TEST_CASE("a convolution reads its map as it lies in memory whatever flattening calls it") {
  const tiled::Config config = config_of();
  const std::string flatten = "  - {name: flat, type: flatten}\n";
  const std::string conv = "  - {name: c, type: conv, filters: 3, kernel: 1}\n";
  CHECK(refusal(flatten + conv, config, "[2, 2, 1]") == "c: flatten: (4, 1, 1) is read, (2, 2, 1) lies in memory");
  CHECK(refusal(flatten + conv, config, "[4, 1, 1]") == "fits");
  CHECK(refusal(flatten + "  - {name: f, type: fc, units: 3}\n", config, "[2, 2, 1]") == "fits");
}

TEST_CASE("the tiles of the widest map are found at once") {
  const clock_t begin = std::clock();
  const tiled::TiledJob job =
      job_of(program_of("  - {name: c, type: conv, filters: 1, kernel: 1}\n", config_of(), "[1, 1, 65535]"));
  CHECK(job.tile_columns == 64);
  CHECK(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC < 2);
}

TEST_CASE("poolings that overlap over a border compute as few sums twice as the stores allow") {
  tiled::Config config = config_of();
  const std::string layers =
      "  - {name: c, type: conv, filters: 8, kernel: 1}\n  - {name: p, type: maxpool, kernel: 3, stride: 2}\n";
  config.conv.output_words = config.conv.input_words = 120;
  const contract::Program whole = program_of(layers, config);
  const tiled::TiledJob& job = job_of(whole);
  CHECK(job.tile_rows == job.out_rows);
  CHECK(job.tile_columns == job.out_columns);
}

TEST_CASE("the first layer's engine takes convolutions of the input that its channels hold") {
  tiled::Config config = config_of();
  config.first = {4, 5};
  const network::Network network = network_of(
      "  - {name: a, type: conv, filters: 6, kernel: 3}\n  - {name: b, type: conv, filters: 6, kernel: 3}\n"
      "  - {name: f, type: fc, units: 3}\n",
      config);
  CHECK(tiled::engine_of(network.layers[0], config) == tiled::Config::kFirst);
  CHECK(tiled::engine_of(network.layers[1], config) == tiled::Config::kConv);
  CHECK(tiled::engine_of(network.layers[2], config) == tiled::Config::kFc);
  config.first.tn = 4;
  CHECK(tiled::engine_of(network.layers[0], config) == tiled::Config::kConv);
  config.fc = {};
  CHECK(tiled::engine_of(network.layers[2], config) == tiled::Config::kConv);
}

TEST_CASE("values that share bytes are laid out so that no two tiles write one and are padded no more than needed") {
  for (const int bits : {1, 2, 3, 5, 8}) {
    const tiled::Config config = config_of(bits);
    // With tiles of rows, 7 columns of few bits fill no word, so rows are padded; with a single tile nothing is.
    const contract::Program cut =
        program_of("  - {name: c, type: conv, filters: 9, kernel: 3}\n", config, "[4, 30, 9]");
    const contract::Program whole =
        program_of("  - {name: c, type: conv, filters: 8, kernel: 3}\n", config, "[4, 9, 7]");
    CAPTURE(bits);
    CHECK(tiles_apart(job_of(cut), config));
    CHECK(tiles_apart(job_of(whole), config));
    CHECK(job_of(whole).out_row == 5);
    CHECK(job_of(whole).out_plane == 35);
    CHECK(job_of(cut).out_row == (bits == 8 ? 7 : base::round_up(7, config.output_encoding().per_word())));
  }
}

TEST_CASE("an FC tile fills its store without padding where the layer's factors allow") {
  tiled::Config config = config_of();
  const contract::Program program = program_of("  - {name: f, type: fc, units: 100}\n", config, "[64, 1, 1]");
  const tiled::TiledJob& job = job_of(program);
  const tiled::TileNest nest(job, config.fc);
  CHECK(job.fc_steps * job.fc_groups * 16 <= 4096);
  CHECK(nest.points() == 25 * 16);
  CHECK(job.fc_groups >= tiled::EngineConfig::accumulate_latency(false));
}

TEST_CASE("the FC tiles with the least padding and then the fewest are taken of all that the store holds") {
  constexpr std::uint64_t kSeed = 41;
  INFO("seed " << kSeed);
  base::Random random(kSeed);
  for (int round = 0; round < 300; ++round) {
    tiled::Config config = config_of();
    config.fc.tm = random.uniform(1, 12);
    config.fc.tn = random.uniform(1, 12);
    config.fc.input_words = random.uniform(1, 300);
    tiled::TiledJob job;
    job.instruction.in_channels = random.uniform(1, 3000);
    job.instruction.out_channels = random.uniform(1, 600);
    const int groups = base::ceil_div(job.instruction.out_channels, config.fc.tm);
    config.fc.output_words = groups;
    if (choose_fc_tile(job, config)) continue;
    const int steps = job.fc_block / config.fc.tn, sets = 4096 / config.fc.macs_per_cycle();
    const auto cost = [&](int g, int j) {
      const std::int64_t tiles = std::int64_t{base::ceil_div(groups, g)} * base::ceil_div(steps, j);
      return std::make_pair(tiles * g * j, tiles);
    };
    for (int g = std::min(groups, tiled::EngineConfig::accumulate_latency(false)); g <= groups; ++g)
      for (int j = 1; j <= steps && g * j <= sets; ++j)
        if (cost(g, j) < cost(job.fc_groups, job.fc_steps))
          FAIL(fmt::format("round {}: {} x {} is better than {} x {}", round, g, j, job.fc_groups, job.fc_steps));
    CHECK(job.fc_groups * job.fc_steps <= sets);
  }
}

TEST_CASE("what the tiled accelerator cannot do names the layer and what it needs of what there is") {
  const tiled::Config config = config_of();
  CHECK(refusal("  - {name: c, type: conv, filters: 8, kernel: 3, padding: [1, 0, 0, 0]}\n", config) ==
        "c: padding differs between sides: an instruction has one for all");
  CHECK(refusal("  - {name: p, type: maxpool, kernel: 2}\n", config) == "fits");
  CHECK(refusal("  - {name: p, type: maxpool, kernel: 2}\n", config, "[5, 12, 10]", true) ==
        "p: the accelerator has no maxpool; without --strict its host computes it");
  CHECK(refusal("  - {name: c, type: conv, filters: 8, kernel: 9}\n", config) ==
        "c: weights.kib 4: a tile of 8 x 4 kernels needs 10,368 B of 4,096");
  const std::string pooled = "  - {name: c, type: conv, filters: 8, kernel: 5}\n  - {name: p, type: maxpool, kernel: ";
  CHECK(refusal(pooled + "6}\n", config) == "c: store.pool_kernel: windows of 6 x 6 need 6 of 3");
  CHECK(refusal(pooled + "3, stride: 1}\n", config) == "c: store.pool_lines: windows of 3 x 3 at stride 1 need 3 of 2");
  tiled::Config large = config;
  large.store.pool_kernel = 6;
  CHECK(refusal(pooled + "6}\n", large) == "c: conv.input_words 64: a tile of one output needs 100");
  CHECK(refusal("  - {name: a, type: relu}\n", config, "[5, 12, 10]", true) ==
        "a: the accelerator has no relu; without --strict its host computes it");
  tiled::Config few = config;
  few.fc.output_words = 2;
  CHECK(refusal("  - {name: f, type: fc, units: 100}\n", few) ==
        "f: fc.output_words 2: 25 groups of outputs need a word each");
  tiled::Config registers = config;
  registers.fc.vectors = tiled::VectorStore::registers;
  CHECK(refusal("  - {name: f, type: fc, units: 100}\n", registers) ==
        "f: fc.input_words 16: fc.vectors registers hold a vector whole, of 150 words");
  registers.fc.input_words = 150;
  CHECK(refusal("  - {name: f, type: fc, units: 100}\n", registers) == "fits");
  tiled::Config bits = config_of(1);
  bits.fc = {};
  CHECK(refusal("  - {name: c, type: conv, filters: 9, kernel: 3}\n  - {name: f, type: fc, units: 3}\n", bits,
                "[4, 9, 7]") == "c: a vector of 1-bit values in planes of 35: tiles would share words of 32 bits");
}

TEST_CASE("a layer's job does not depend on which other layers are chosen except for its addresses") {
  const tiled::Config config = config_of();
  const std::string layers =
      "  - {name: a, type: conv, filters: 8, kernel: 3}\n  - {name: b, type: conv, filters: 12, kernel: 3}\n"
      "  - {name: f, type: fc, units: 7}\n";
  const network::Network network = network_of(layers, config);
  const contract::Program all = std::get<contract::Program>(compile_network(network, config));
  for (int chosen = 0; chosen < 3; ++chosen) {
    compile::Options options;
    options.layers = {chosen};
    options.values = false;
    const contract::Program one = std::get<contract::Program>(compile_network(network, config, options));
    tiled::TiledJob a = job_of(all, static_cast<std::size_t>(chosen)), b = job_of(one);
    for (tiled::TiledJob* job : {&a, &b})
      job->input_address = job->weight_address = job->parameter_address = job->output_address = 0;
    CHECK(print(a) == print(b));
  }
}

TEST_CASE("a bias holds the share of the input's zero point beyond 32 bits too or is refused") {
  network::Layer layer = network_of("  - {name: wide, type: fc, units: 20}\n", config_of(16), "[64, 12, 10]").layers[0];
  layer.in_format.zero_point = -30000;
  std::vector<std::uint8_t> records(20 * tiled::kParameterBytes);
  tiled::write_parameters(layer, 0, 48, records.data());
  bool wide = false;
  for (std::size_t output = 0; output < 20; ++output) {
    std::int64_t bias = layer.parameters().bias[output];
    for (std::size_t i = 0; i < 7680; ++i) bias += 30000 * std::int64_t{layer.parameters().integer(output * 7680 + i)};
    const tiled::ChannelParameters record = tiled::parameters_of(records.data() + output * tiled::kParameterBytes);
    CHECK(record.bias == bias);
    CHECK(record.scale == layer.requantise(static_cast<int>(output)).scale);
    CHECK(record.shift == layer.requantise(static_cast<int>(output)).shift);
    wide |= bias != static_cast<std::int32_t>(bias);
  }
  CHECK(wide);
  std::fill(layer.parameters().weights.begin(), layer.parameters().weights.end(), std::int8_t{0x7f});
  CHECK_THROWS_WITH(tiled::write_parameters(layer, 0, 48, records.data()),
                    Catch::Contains("wide: output 0's bias") && Catch::Contains("beyond 40 bits"));
  // Sums of 40 bits know no more of it than the record holds.
  tiled::write_parameters(layer, 0, 40, records.data());
  const std::int64_t bias = layer.parameters().bias[0] + std::int64_t{30000} * 7680 * 0x7f7f;
  CHECK(tiled::parameters_of(records.data()).bias == arith::wrap(bias, 40));
}

}  // namespace fansim::compile_test
