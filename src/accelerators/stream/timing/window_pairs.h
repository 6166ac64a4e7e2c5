// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/stream/config/array.h"
#include "timing/edge.h"
#include "timing/pipe.h"

namespace fansim::stream {

// Chains that share a weight take two windows of a pass in consecutive cycles as a pair, and two cycles for a window
// that stays alone: the first window of a pass waits for those (docs/timing.md, "Chains").
class WindowPairs {
 public:
  explicit WindowPairs(const ArrayConfig& config) : pairs_(config.pairs_windows()) {}

  // The first edge at which the array may take a window of another set.
  timing::Edge free(const timing::Pipe& array) const {
    return alone_ == timing::kLongAgo ? alone_ : array.moving(alone_ + 1) + 1;
  }

  void take(timing::Edge edge, const timing::Pipe& array) {
    if (!pairs_) return;
    const bool second = alone_ != timing::kLongAgo && edge == array.moving(alone_ + 1);
    alone_ = second ? timing::kLongAgo : edge;
  }

  // Takes `windows` windows of a pass, `step` edges apart, that nothing holds.
  void take_all(timing::Edge first, int step, int windows) {
    if (!pairs_ || windows == 0) return;
    const bool second = alone_ != timing::kLongAgo && first == alone_ + 1;
    const bool odd = (windows - (second ? 1 : 0)) % 2 != 0;
    const timing::Edge last = first + timing::Edge{windows - 1} * step;
    alone_ = step > 1 ? (second && windows == 1 ? timing::kLongAgo : last) : odd ? last : timing::kLongAgo;
  }

  template <class State>
  void visit(State& state) {
    state.edge(alone_);
  }

 private:
  bool pairs_;
  timing::Edge alone_ = timing::kLongAgo;  // the window that entered last, if it has no second
};

}  // namespace fansim::stream
