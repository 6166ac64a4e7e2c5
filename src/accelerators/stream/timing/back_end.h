// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/stream/config/array.h"
#include "accelerators/stream/config/command.h"
#include "accelerators/stream/config/pool_axis.h"
#include "accelerators/stream/timing/pipe.h"

namespace fansim::stream {

// From the MAC array's windows to stored pixels: array, adder tree, accumulator, then quantiser, pooling and output
// store, or quantiser, activation and recurrent cell. While nothing behind the array takes more than a cycle per
// window it is *clean*: a window's edges follow from that at which it was taken, and runs of windows cost nothing.
class BackEnd {
 public:
  explicit BackEnd(const ArrayConfig& config);

  void begin_job(const Command& job);

  // A pass of the job: its sums go on to the quantiser or not.
  void begin_pass(int row, bool last);

  // No item before, and no window of this pass, can hold the array.
  bool flows() const { return clean_ && simple_; }

  // A window in front of the array from `ready` on (its weights too): the edge at which it is taken.
  timing::Edge take(int x, timing::Edge ready);

  // Windows [from, to) of a pass that flows, taken at `taken(x)`.
  template <class Taken>
  void flow(int from, int to, Taken&& taken) {
    if (!last_) return;
    const int stored = stored_by(from, to);
    if (stored_ < pixels_ && stored_ + stored >= pixels_) tile_ = taken(x_of(from, pixels_ - stored_)) + store_offset_;
    stored_ += stored;
  }
  // `passes` whole passes like this one; false if the tile would be complete with them.
  bool flow_passes(int passes);

  // The accumulator takes a window's sums so long after the array took it.
  timing::Edge sum_offset() const { return sum_offset_; }
  // Of the window taken last by take().
  timing::Edge summed() const { return sum_pops_.last; }
  // When the job's tile is in the output buffer; kNever: it has none.
  timing::Edge tile() const { return tile_; }
  // When the hidden state of the step that ended last is complete.
  timing::Edge step_done() const { return step_done_; }

  // Between jobs: whatever enters from here on meets nothing of them.
  timing::Edge at_rest() const { return clean_ ? timing::kLongAgo : quiet_; }

  const Pipe& array() const { return array_; }

 private:
  void total(timing::Edge pushed, int x, int row);
  void pool(timing::Edge popped, int x, int row);
  void store(timing::Edge popped, int row);
  void collect(timing::Edge offered);
  int closings(int x) const;
  int stored_by(int from, int to) const;
  int x_of(int from, int count) const;

  const int channels_;
  const timing::Edge cell_latency_;
  const bool has_table_;
  const timing::Edge sum_offset_;   // from taken to summed
  const timing::Edge pool_offset_;  // from taken to popped by the pooling unit
  const timing::Edge store_offset_;

  // The job and the pass.
  Command job_;
  PoolAxis pool_columns_{}, pool_rows_{};
  int first_pooled_row_ = 0;
  bool columns_simple_ = true;  // of the pooling: no pixel closes more than one window
  int row_ = 0;
  bool last_ = false;
  bool simple_ = true;  // one cycle per window everywhere

  bool clean_ = true;
  Pipe array_, tree_, accumulator_, quantiser_, table_, activation_;
  timing::Pops product_pops_, sum_pops_, total_pops_, result_pops_, table_pops_, gate_pops_;
  timing::Edge pool_free_ = timing::kLongAgo;
  timing::Edge quiet_ = timing::kLongAgo;  // nothing behind the accumulator moves from here on

  int gates_ = 0;  // collected of the set in front of the cell
  timing::Edge cell_begun_ = timing::kLongAgo;
  timing::Edge cell_free_ = timing::kLongAgo;
  int blocks_ = 0;  // of hidden units through the cell in this step
  timing::Edge step_done_ = timing::kNever;

  int stored_ = 0;  // pixels of the tile
  int pixels_ = 0;
  timing::Edge tile_ = timing::kNever;
};

}  // namespace fansim::stream
