// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/config/point_nest.h"

namespace fansim::tiled {

PointNest::PointNest(const TiledJob& job, const EngineConfig& engine)
    : job_(job),
      nest_(job, engine),
      fc_(nest_.fc_engine()),
      tiles_(fc_ ? nest_.fc_blocks() : nest_.output_tiles()),
      steps_(fc_ ? job.fc_steps : job.steps()) {
  enter_tile();
}

void PointNest::next() {
  ++column_;
  if (++point_ < points_) {
    if (column_ == sums_.columns) {
      column_ = 0;
      ++row_;
    }
    return;
  }
  point_ = 0;
  if (++step_ < steps_) {
    enter_step();
    return;
  }
  step_ = 0;
  if (++slice_ < slices_) {
    enter_step();
    return;
  }
  slice_ = 0;
  if (++tile_ < tiles_) enter_tile();
}

void PointNest::enter_tile() {
  if (fc_) {
    k_tiles_ = nest_.fc_k_tiles(tile_);
    slices_ = nest_.fc_m_tiles() * k_tiles_;
    points_ = job_.fc_groups;
  } else {
    const int place = tile_ % (nest_.y_tiles() * nest_.x_tiles());
    sums_ = nest_.sums(nest_.output(place / nest_.x_tiles(), place % nest_.x_tiles()));
    input_ = nest_.input(sums_);
    slices_ = nest_.n_tiles();
    points_ = sums_.size();
  }
  enter_step();
}

void PointNest::enter_step() {
  row_ = column_ = 0;
  if (fc_) {
    channels_ = std::clamp(nest_.fc_inputs(tile_) - index(), 0, nest_.tn());
    return;
  }
  const int padding = job_.instruction.fc() ? 0 : job_.instruction.padding;
  top_ = sums_.row * job_.instruction.stride - padding + step_ / job_.kernel_columns();
  left_ = sums_.column * job_.instruction.stride - padding + step_ % job_.kernel_columns();
  channels_ = nest_.in_channels(slice_);
}

int PointNest::index() const {
  if (fc_) return (slice_ % k_tiles_ * steps_ + step_) * nest_.tn();
  const int y = top_ + row_ * job_.instruction.stride, x = left_ + column_ * job_.instruction.stride;
  if (y < 0 || y >= job_.instruction.height || x < 0 || x >= job_.instruction.width) return -1;
  return (y - input_.row) * input_.columns + x - input_.column;
}

}  // namespace fansim::tiled
