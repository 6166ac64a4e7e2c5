// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/tiled/config/config.h"
#include "accelerators/tiled/config/map_runs.h"
#include "accelerators/tiled/config/tile_nest.h"
#include "accelerators/tiled/config/weight_runs.h"

// This file defines the order in which tiles are loaded, which the loaders of both engines share. The loaders decide
// when each tile is loaded.
namespace fansim::tiled {

// Lists the inputs of a job: for every output tile, tile by tile of its input channels; for the FC engine, block by
// block.
class InputOrder {
 public:
  InputOrder(const TiledJob& job, const Config& config);

  bool done() const { return done_; }
  MapExtents next();

 private:
  const TiledJob job_;
  const TileNest nest_;
  const Encoding encoding_;
  int m_ = 0, y_ = 0, x_ = 0, n_ = 0;
  bool done_ = false;
};

// Lists the weights of a job, which follow its parameters. A phase is what is loaded between two turns: the weights
// that belong to one load of inputs.
class WeightOrder {
 public:
  WeightOrder(const TiledJob& job, const Config& config);

  int phases() const;
  int tiles_of_phase() const;  // number of tiles of the next phase
  WeightTile next();

  int runs(const WeightTile& tile) const { return runs_.count(tile); }
  WeightExtent run(const WeightTile& tile, int i) const { return runs_.run(tile, i); }
  WeightExtent parameters() const { return runs_.parameters(0, channels_); }

 private:
  const TileNest nest_;
  const WeightExtents runs_;
  const int channels_;  // number of the job's outputs
  int m_ = 0, n_ = 0, k_ = 0, repeat_ = 0;
};

}  // namespace fansim::tiled
