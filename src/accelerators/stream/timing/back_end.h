// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/stream/config/array.h"
#include "accelerators/stream/config/command.h"
#include "accelerators/stream/config/pool_axis.h"
#include "timing/pipe.h"

namespace fansim::stream {

// From the MAC array's windows to stored pixels: array, adder tree, accumulator, then quantiser, pooling and output
// store, or quantiser, activation and recurrent cell. Every window is followed through every block.
class BackEnd {
 public:
  explicit BackEnd(const ArrayConfig& config);
  virtual ~BackEnd() = default;

  virtual void begin_job(const Command& job);
  // A pass over row `row` of the job begins; the sums of a `last` pass go on to the quantiser.
  virtual void begin_pass(int row, bool last);
  // Window `x` of the pass is in front of the array, and its weights are there, from `ready` on. Returns the edge at
  // which the array takes it.
  virtual timing::Edge take(int x, timing::Edge ready);

  // The edge at which the accumulator popped the sums of the last window.
  timing::Edge summed() const { return sum_pops_.last; }
  // The edge at which the job's tile is in the output buffer; kNever: it has none.
  timing::Edge tile() const { return tile_; }
  // The edge at which the hidden state of the last step is complete.
  timing::Edge step_done() const { return step_done_; }
  const timing::Pipe& array() const { return array_; }

 protected:
  const int channels_;
  const timing::Edge cell_latency_;
  const bool has_table_;

  // The job and the pass.
  Command job_;
  PoolAxis pool_columns_{}, pool_rows_{};
  int first_pooled_row_ = 0;
  int row_ = 0;
  bool last_ = false;

  timing::Pipe array_, tree_, accumulator_, quantiser_, table_, activation_;
  timing::Pops product_pops_, sum_pops_, total_pops_, result_pops_, table_pops_, gate_pops_;
  timing::Edge pool_free_ = timing::kLongAgo;
  timing::Edge quiet_from_ = timing::kLongAgo;  // nothing behind the accumulator moves from here on

  int stored_ = 0;  // pixels of the tile
  int pixels_ = 0;  // that the tile has
  timing::Edge tile_ = timing::kNever;

 private:
  void total(timing::Edge pushed, int x, int row);
  void pool(timing::Edge popped, int x, int row);
  void store(timing::Edge popped, int row);
  void collect(timing::Edge offered);

  int gates_ = 0;  // collected of the set in front of the cell
  timing::Edge cell_begun_ = timing::kLongAgo;
  timing::Edge cell_free_ = timing::kLongAgo;
  int blocks_ = 0;  // of hidden units that passed the cell in this step
  timing::Edge step_done_ = timing::kNever;
};

}  // namespace fansim::stream
