// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/tiled/config/tile_nest.h"

namespace fansim::tiled {

// Where an engine is in the order of tiled::PointNest, as far as timing depends on it: points of a step, steps of a
// slice (which has one weight tile), slices of a tile.
class PointOrder {
 public:
  PointOrder(const TiledJob& job, const EngineConfig& engine)
      : job_(job),
        nest_(job, engine),
        fc_(nest_.fc_engine()),
        tiles_(fc_ ? nest_.fc_blocks() : nest_.output_tiles()),
        steps_(fc_ ? job.fc_steps : job.steps()) {
    enter_tile();
  }

  bool done() const { return tile_ == tiles_; }
  void next() {
    if (++point_ < points_) return;
    point_ = 0;
    if (++step_ < steps_) return;
    step_ = 0;
    if (++slice_ < slices_) return;
    slice_ = 0;
    if (++tile_ < tiles_) enter_tile();
  }
  // Moves on by so many points of the slice.
  void skip(int points) {
    const int point = step_ * points_ + point_ + points;
    step_ = point / points_;
    point_ = point % points_;
  }

  int points() const { return points_; }  // of a step
  int left_in_step() const { return points_ - point_; }
  int left_in_slice() const { return (steps_ - step_) * points_ - point_; }
  bool starts_slice() const { return step_ == 0 && point_ == 0; }

  bool new_set() const { return fc_ || point_ == 0; }
  bool opens_inputs() const { return starts_slice() && (!fc_ || slice_ == 0); }
  bool closes_inputs() const { return ends_slice() && (!fc_ || slice_ + 1 == slices_); }
  bool opens_sums() const { return starts_slice() && slice_ == 0 && (!fc_ || tile_ == 0); }
  bool closes_sums() const { return ends_slice() && slice_ + 1 == slices_ && (!fc_ || tile_ + 1 == tiles_); }

  // How many points ago this point's sum was used; 0 if the sum starts from zero.
  std::int64_t since_last_use() const {
    if (step_ > 0 || (fc_ && slice_ % k_tiles_ > 0)) return points_;
    if (!fc_) return slice_ > 0 ? points_ : 0;
    if (tile_ == 0) return 0;
    const std::int64_t before = slice_ / k_tiles_, behind = slices_ / k_tiles_ - 1 - before;  // m blocks
    return points_ + (behind * k_before_ + before * k_tiles_) * steps_ * points_;
  }

 private:
  bool ends_slice() const { return step_ + 1 == steps_ && point_ + 1 == points_; }

  void enter_tile() {
    if (fc_) {
      k_before_ = k_tiles_;
      k_tiles_ = nest_.fc_k_tiles(tile_);
      slices_ = nest_.fc_m_tiles() * k_tiles_;
      points_ = job_.fc_groups;
      return;
    }
    const int place = tile_ % (nest_.y_tiles() * nest_.x_tiles());
    points_ = nest_.sums(nest_.output(place / nest_.x_tiles(), place % nest_.x_tiles())).size();
    slices_ = nest_.n_tiles();
  }

  TiledJob job_;
  TileNest nest_;
  bool fc_;
  int tiles_, slices_ = 1, steps_, points_ = 1;
  int tile_ = 0, slice_ = 0, step_ = 0, point_ = 0;
  int k_tiles_ = 1, k_before_ = 1;  // of the FC engine's block
};

}  // namespace fansim::tiled
