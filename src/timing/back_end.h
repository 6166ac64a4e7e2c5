// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arch/array.h"
#include "arch/command.h"
#include "arch/pool_axis.h"
#include "timing/pipe.h"

namespace fansim::timing {

// From the MAC array's windows to stored pixels: array, adder tree, accumulator, then quantiser, pooling and output
// store, or quantiser, activation and recurrent cell. While nothing behind the array takes more than a cycle per
// window it is *clean*: a window's edges follow from that at which it was taken, and runs of windows cost nothing.
class BackEnd {
 public:
  explicit BackEnd(const arch::ArrayConfig& config);

  void begin_job(const arch::Command& job);

  // A pass of the job: its sums go on to the quantiser or not.
  void begin_pass(int row, bool last);

  // No item before, and no window of this pass, can hold the array.
  bool flows() const { return clean_ && simple_; }

  // A window in front of the array from `ready` on (its weights too): the edge at which it is taken.
  Edge take(int x, Edge ready);

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
  Edge sum_offset() const { return sum_offset_; }
  // Of the window taken last by take().
  Edge summed() const { return sum_pops_.last; }
  // When the job's tile is in the output buffer; kNever: it has none.
  Edge tile() const { return tile_; }
  // When the hidden state of the step that ended last is complete.
  Edge step_done() const { return step_done_; }

  // Between jobs: whatever enters from here on meets nothing of them.
  Edge at_rest() const { return clean_ ? kLongAgo : quiet_; }

  const Pipe& array() const { return array_; }

 private:
  void total(Edge pushed, int x, int row);
  void pool(Edge popped, int x, int row);
  void store(Edge popped, int row);
  void collect(Edge offered);
  int closings(int x) const;
  int stored_by(int from, int to) const;
  int x_of(int from, int count) const;

  const int channels_;
  const Edge sum_offset_;   // from taken to summed
  const Edge pool_offset_;  // from taken to popped by the pooling unit
  const Edge store_offset_;

  // The job and the pass.
  arch::Command job_;
  arch::PoolAxis pool_columns_{}, pool_rows_{};
  int first_pooled_row_ = 0;
  bool columns_simple_ = true;  // of the pooling: no pixel closes more than one window
  int row_ = 0;
  bool last_ = false;
  bool simple_ = true;  // one cycle per window everywhere

  bool clean_ = true;
  Pipe array_, tree_, accumulator_, quantiser_, activation_;
  Pops product_pops_, sum_pops_, total_pops_, result_pops_, gate_pops_;
  Edge pool_free_ = kLongAgo;
  Edge quiet_ = kLongAgo;  // nothing behind the accumulator moves from here on

  int gates_ = 0;  // collected of the set in front of the cell
  Edge cell_begun_ = kLongAgo;
  Edge cell_free_ = kLongAgo;
  int blocks_ = 0;  // of hidden units through the cell in this step
  Edge step_done_ = kNever;

  int stored_ = 0;  // pixels of the tile
  int pixels_ = 0;
  Edge tile_ = kNever;
};

}  // namespace fansim::timing
