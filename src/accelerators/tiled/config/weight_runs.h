// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "accelerators/tiled/config/tile_nest.h"
#include "accelerators/tiled/config/tiled_runs.h"

namespace fansim::tiled {

// Says which part of the layer's matrix of output by input channels a weight tile holds, and its number in the order of
// use.
struct WeightTile {
  std::int64_t number = 0;
  int first_output = 0, outputs = 0;
  int first_input = 0, inputs = 0;
};

// Lists the runs that load a layer's weights. Reorganised, a tile is one run, and tiles follow each other in the order
// of use. Otherwise memory holds the layer's own array [output][input][k], and every output channel of a tile is a run.
class WeightExtents {
 public:
  WeightExtents(const TiledJob& job, const EngineConfig& engine, const Encoding& encoding, bool reorganised)
      : job_(job), nest_(job, engine), encoding_(encoding), reorganised_(reorganised) {}

  // Return a convolution's tile, and the FC engine's tile in input block `block`.
  WeightTile conv_tile(int m, int n) const;
  WeightTile fc_tile(int block, int m, int k) const;
  std::int64_t tiles() const;
  std::int64_t bytes() const;  // bytes of the layer's weights in memory

  int count(const WeightTile& tile) const { return reorganised_ ? 1 : tile.outputs; }
  WeightExtent run(const WeightTile& tile, int i) const;

  // Returns the run with bias and scale of output channels [first, first + channels).
  static constexpr int kParameterBytes = 8;
  WeightExtent parameters(int first, int channels) const;

 private:
  Scatter scatter(int output) const;

  TiledJob job_;
  TileNest nest_;
  Encoding encoding_;
  bool reorganised_;
};

}  // namespace fansim::tiled
