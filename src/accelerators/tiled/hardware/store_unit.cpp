// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/hardware/store_unit.h"

namespace fansim::tiled {

StoreUnit::StoreUnit(const sc_core::sc_module_name& name, const Config& config) : Module(name), config_(config) {}

void StoreUnit::step() {
  if (written.can_pop()) {
    written.pop();
    account_.end(now());
    if (--under_way_ == 0 && tiles_left_ == 0) {
      busy_ = false;
      layers_done_.set(layers_done_.next() + 1);
    }
  }
  if (!busy_) {
    if (job.can_pop())
      begin_layer();
    else if (job.empty())
      sleep();
    return;
  }
  if (runs_.done()) {
    if (written.empty() && (tiles_left_ == 0 || complete.empty())) {
      sleep();
      return;
    }
    if (tiles_left_ == 0 || !complete.can_pop() || !half.can_push()) return;
    begin_tile();
  }
  issue();
}

void StoreUnit::begin_layer() {
  job_ = job.pop();
  busy_ = true;
  const TileNest nest(job_, config_.engine(job_.engine));
  tiles_left_ = nest.fc_engine() ? 1 : nest.output_tiles();
  m_ = y_ = x_ = 0;
}

void StoreUnit::begin_tile() {
  half.push(complete.pop());
  account_.begin(now());
  --tiles_left_;
  ++under_way_;
  const TileNest nest(job_, config_.engine(job_.engine));
  const MapPlace place = output_place(job_);
  const Encoding encoding = config_.output_encoding();
  if (nest.fc_engine()) {
    runs_ = MapExtents(place, encoding, 0, job_.instruction.out_channels, {0, 0, 1, 1});
    return;
  }
  runs_ = MapExtents(place, encoding, m_ * nest.tm(), nest.out_channels(m_), nest.output(y_, x_));
  if (++x_ < nest.x_tiles()) return;
  x_ = 0;
  if (++y_ < nest.y_tiles()) return;
  y_ = 0;
  ++m_;
}

void StoreUnit::issue() {
  if (!requests.can_push() || !commands.can_push()) return;
  const Extent run = runs_.next();
  requests.push(run);
  commands.push(run);
  ++runs_out_;
}

}  // namespace fansim::tiled
