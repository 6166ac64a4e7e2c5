// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "accelerators/tiled/config/tile_nest.h"
#include "accelerators/tiled/hardware/types.h"
#include "base/random.h"

// This file has layers for the blocks of the tiled accelerator: what their loaders would bring, and the expected
// results, by loops over the whole layer.
namespace fansim::test {

inline std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

struct TiledLayer {
  tiled::TiledJob job;
  tiled::EngineConfig engine;
  std::vector<std::int16_t> map;                     // [channel][row][column]
  std::vector<std::uint16_t> codes;                  // [output channel][input channel][kr][kc]
  std::vector<tiled::ChannelParameters> parameters;  // of each output channel

  bool fc_engine() const { return job.engine == tiled::Config::kFc; }
  tiled::TileNest nest() const { return {job, engine}; }
  int in(int channel, int y, int x) const;      // the zero point outside the map
  unsigned code(int m, int n, int step) const;  // 0 beyond the layer

  // These are in the order in which the stages meet them.
  std::vector<std::vector<std::int16_t>> input_tiles() const;
  std::vector<std::vector<std::uint16_t>> weight_tiles() const;  // each [step][tn][tm], FC [step][group][tn][tm]
  std::vector<tiled::Region> regions() const;                    // of the output tiles, for each m tile
  std::vector<std::vector<std::int16_t>> output_tiles(const std::vector<std::int16_t>& out) const;  // `out` is
                                                                                                    // [m][y][x]
};

// Draws values of `activation_bits` bits and codes of `weight_bits` bits.
TiledLayer layer_of(const tiled::TiledJob& job, const tiled::EngineConfig& engine, int activation_bits, int weight_bits,
                    base::Random& random);

// Replaces integers by single precision.
void make_biases_real(TiledLayer& layer);

// Return a convolution without border, pooling or tiles of its map; others with random shapes and tiles; and a layer of
// an FC engine.
tiled::TiledJob conv_job(int in_channels, int out_channels, int rows, int columns, int kernel);
tiled::TiledJob random_conv(const tiled::EngineConfig& engine, base::Random& random);
tiled::TiledJob random_fc(const tiled::EngineConfig& engine, base::Random& random);

// The sums of every output [m][row][column] before pooling: exact, and single precision in the declared order.
std::vector<std::int64_t> exact_sums(const TiledLayer& layer, const tiled::CodeBook& book);
std::vector<float> real_sums(const TiledLayer& layer, const tiled::CodeBook& book);

// Returns every output [m][y][x] for these sums.
std::vector<std::int16_t> outputs(const TiledLayer& layer, const std::vector<std::int64_t>& sums,
                                  const arith::QuantiserFormat& format, int activation_bits);
std::vector<std::int16_t> outputs(const TiledLayer& layer, const std::vector<float>& sums,
                                  const arith::QuantiserFormat& format, int activation_bits);

tiled::CodeBook random_book(int weight_bits, base::Random& random);

inline tiled::EngineConfig engine_of(int tm, int tn, int input_words = 1024, int output_words = 1024) {
  tiled::EngineConfig engine;
  engine.tm = tm;
  engine.tn = tn;
  engine.input_words = input_words;
  engine.output_words = output_words;
  return engine;
}

}  // namespace fansim::test
