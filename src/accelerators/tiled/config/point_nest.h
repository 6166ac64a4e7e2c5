// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "accelerators/tiled/config/tile_nest.h"

namespace fansim::tiled {

// Walks the points of a layer in an engine's order, in four loops. A convolution has output tiles (m, y, x),
// input-channel tiles, steps (kr, kc), and points (r, c) of the tile's sums. The FC engine has input blocks; m blocks
// with k tiles in each; steps of tn inputs; and groups of tm outputs.
class PointNest {
 public:
  PointNest(const TiledJob& job, const EngineConfig& engine);

  bool done() const { return tile_ == tiles_; }
  void next();

  int entry() const { return fc_ ? slice_ / k_tiles_ * points_ + point_ : point_; }
  bool new_set() const { return fc_ || point_ == 0; }
  bool first() const { return step_ == 0 && (fc_ ? tile_ == 0 && slice_ % k_tiles_ == 0 : slice_ == 0); }

  // These mark the first and the last point of an input half, and of a half of the sums.
  bool opens_inputs() const { return starts_slice() && (!fc_ || slice_ == 0); }
  bool closes_inputs() const { return ends_slice() && (!fc_ || slice_ + 1 == slices_); }
  bool opens_sums() const { return starts_slice() && slice_ == 0 && (!fc_ || tile_ == 0); }
  bool closes_sums() const { return ends_slice() && slice_ + 1 == slices_ && (!fc_ || tile_ + 1 == tiles_); }

  // The point's inputs in the half are channels i < channels() at index() + i * pitch(). The engine's other channels
  // are zero, not the zero point, because the bias does not compensate them. A negative index is outside the map.
  int channels() const { return channels_; }
  int pitch() const { return fc_ ? 1 : input_.size(); }
  int index() const;

 private:
  bool starts_slice() const { return step_ == 0 && point_ == 0; }
  bool ends_slice() const { return step_ + 1 == steps_ && point_ + 1 == points_; }
  void enter_tile();
  void enter_step();

  TiledJob job_;
  TileNest nest_;
  bool fc_;
  int tiles_, slices_ = 1, steps_, points_ = 1;
  int tile_ = 0, slice_ = 0, step_ = 0, point_ = 0;
  int k_tiles_ = 1;         // of the FC engine's block
  Region sums_, input_;     // of a convolution's tile
  int top_ = 0, left_ = 0;  // where the step's first point reads in the map
  int row_ = 0, column_ = 0;
  int channels_ = 0;
};

}  // namespace fansim::tiled
