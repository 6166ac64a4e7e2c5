// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/timing/tile_loads.h"

namespace fansim::tiled {

void InputLoads::begin(const TiledJob& job, timing::Edge pushed) {
  order_.emplace(job, config_);
  from_ = pushed + 1;
  credits_ = job.engine == Config::kFc ? 1 : config_.engine(job.engine).halves();
  freed.clear();
  account.spans.clear();
}

bool InputLoads::advance() {
  bool any = false;
  while (end_tile() || begin_tile()) any = true;
  return any;
}

bool InputLoads::begin_tile() {
  if (order_->done() || (credits_ == 0 && freed.empty()) || (serial() && turns.empty())) return false;
  timing::Edge from = from_;
  if (credits_ > 0)
    --credits_;
  else {
    from = std::max(from, freed.front() + 1);
    freed.pop();
  }
  if (serial()) {
    from = std::max(from, turns.front() + 1);
    turns.pop();
  }
  for (MapExtents runs = order_->next(); !runs.done();) {
    const Extent run = runs.next();
    path_.push({run.address, run.beats, run.last, {}});
  }
  path_.begin(from);
  return true;
}

// The loader sees the end of a tile one edge after the decoder.
bool InputLoads::end_tile() {
  if (path_.ends().empty()) return false;
  const timing::Edge end = path_.ends().pop();
  filled.push(end);
  account.add({path_.begun().pop(), end + 1});
  if (serial()) turn_over.push(end + 1);
  return true;
}

}  // namespace fansim::tiled
