// SPDX-License-Identifier: Apache-2.0
// This file takes points that nothing holds up in one go.
#include <algorithm>

#include "accelerators/tiled/timing/engine_flow.h"

namespace fansim::tiled {

// If points flow, one per edge, so do all others of the step, or of the FC engine's slice, but its last one.
void EngineFlow::skip() {
  const std::int64_t i = taken_.count();
  if (order_->starts_slice() || (!fc_ && order_->new_set()) || order_->points() < accumulate_latency_) return;
  if (walker_.entered() != i || !walker_.flows() || walker_.left(i - 1) + 1 != taken_.last() ||
      taken_[i - 2] + 1 != taken_.last())
    return;
  int points = (fc_ ? order_->left_in_slice() : order_->left_in_step()) - 1;
  if (fc_) {
    const std::int64_t waiting = sets_.count() - sets_taken_.count();
    if (sets_.last() != taken_.last() + waiting - 1 || sets_taken_[sets_taken_.count() - 2] + 1 != taken_.last())
      return;
    points = std::min(points, sets_per_tile_ - set_ - 1);
  }
  if (points <= 0) return;
  if (fc_) {
    sets_.add_run(points);
    sets_taken_.add_run(points);
    set_ += points;
  }
  walker_.run(points);
  taken_.add_run(points);
  input_seen_.add_same(points, timing::kLongAgo);
  ahead_->skip(points);
  order_->skip(points);
  after_ += points;
}

}  // namespace fansim::tiled
