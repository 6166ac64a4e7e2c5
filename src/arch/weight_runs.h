// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "arch/tile_nest.h"
#include "arch/tiled_runs.h"

namespace fansim::arch {

// What a weight tile holds of the layer's matrix of output by input channels; its number in the order of use.
struct WeightTile {
  std::int64_t number = 0;
  int first_output = 0, outputs = 0;
  int first_input = 0, inputs = 0;
};

inline WeightTile conv_tile(const TileNest& nest, int m, int n) {
  return {std::int64_t{m} * nest.n_tiles() + n, m * nest.tm(), nest.out_channels(m), n * nest.tn(),
          nest.in_channels(n)};
}
WeightTile fc_tile(const TiledJob& job, const TileNest& nest, int block, int m, int k);

// The runs that bring a layer's weights. Reorganised, a tile is one run and tiles follow each other in their order of
// use; else memory holds the layer's own array [output][input][k] and every output channel of a tile is a run.
class WeightRuns {
 public:
  WeightRuns(const TiledJob& job, const EngineConfig& engine, const Encoding& encoding, bool reorganised);

  int count(const WeightTile& tile) const { return reorganised_ ? 1 : tile.outputs; }
  WeightRun run(const WeightTile& tile, int i) const;
  // Channels [first, first + channels) of the layer's parameters.
  WeightRun parameters(int first, int channels) const;
  std::int64_t tiles() const;
  std::int64_t bytes() const;  // of the layer's weights in memory

 private:
  Scatter scatter(int i) const;

  TiledJob job_;
  EngineConfig engine_;
  Encoding encoding_;
  bool reorganised_;
};

}  // namespace fansim::arch
