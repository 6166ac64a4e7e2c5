// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/stream/timing/back_end.h"

namespace fansim::stream {

// The back end with a closed form for its steady state: while no block behind the array takes more than one cycle per
// window, all edges of a window follow from the edge at which the array took it, and windows need not be followed.
class SteadyBackEnd final : public BackEnd {
 public:
  explicit SteadyBackEnd(const ArrayConfig& config);

  void begin_job(const Command& job) override;
  void begin_pass(int row, bool last) override;
  timing::Edge take(int x, timing::Edge ready) override;

  // Neither an item from before nor a window of this pass can hold the array.
  bool steady() const { return clear_ && simple_; }
  // While steady: takes windows [from, to) of the pass, each at `taken(x)`.
  template <class Taken>
  void take_all(int from, int to, Taken&& taken) {
    if (!last_) return;
    const int stored = stored_by(from, to);
    if (stored_ < pixels_ && stored_ + stored >= pixels_) tile_ = taken(x_of(from, pixels_ - stored_)) + store_offset_;
    stored_ += stored;
  }
  // While steady: takes `passes` whole passes like this one. false: the tile would be complete with them.
  bool take_passes(int passes);

  // From the edge at which the array takes a window to the edge at which the accumulator pops its sums.
  timing::Edge sum_offset() const { return sum_offset_; }
  // Between jobs: what enters from this edge on meets nothing of the jobs before.
  timing::Edge clear_from() const { return clear_ ? timing::kLongAgo : quiet_from_; }

 private:
  int stored_by(int from, int to) const;
  int x_of(int from, int count) const;

  const timing::Edge sum_offset_;
  const timing::Edge pool_offset_;   // to the edge at which the pooling unit pops it
  const timing::Edge store_offset_;  // to the edge at which its pixel is stored

  bool columns_simple_ = true;  // of pooling: no pixel closes more than one window of the row
  bool simple_ = true;          // one cycle per window in every block
  bool clear_ = true;           // no item is in the blocks that could hold the next one
};

}  // namespace fansim::stream
