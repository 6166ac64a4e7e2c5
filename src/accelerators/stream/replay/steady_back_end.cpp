// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/replay/steady_back_end.h"

namespace fansim::stream {

// A stream adds an edge to the latency of the block before it.
SteadyBackEnd::SteadyBackEnd(const ArrayConfig& config)
    : BackEnd(config),
      sum_offset_(config.mac_latency() + 1 + config.adder_tree_latency() + 1),
      pool_offset_(sum_offset_ + ArrayConfig::accumulator_latency() + 1 + ArrayConfig::quantiser_latency() + 1 +
                   (has_table_ ? ArrayConfig::code_table_latency() + 1 : 0)),
      store_offset_(pool_offset_ + 2) {}

void SteadyBackEnd::begin_job(const Command& job) {
  BackEnd::begin_job(job);
  columns_simple_ = !job.pool || pool_columns_.closed(job.windows - 1) <= 1;
}

void SteadyBackEnd::begin_pass(int row, bool last) {
  BackEnd::begin_pass(row, last);
  simple_ = !last || (!job_.recurrent_output && job_.parallel == 1 &&
                      (!job_.pool || (columns_simple_ && pool_rows_.closed(job_.output_row + row) <= 1)));
}

// Windows of the steady state leave no trace in the blocks: none of them can hold a window that follows.
timing::Edge SteadyBackEnd::take(int x, timing::Edge ready) {
  if (steady()) {
    sum_pops_.add(ready + sum_offset_);
    take_all(x, x + 1, [ready](int) { return ready; });
    return ready;
  }
  const timing::Edge taken = BackEnd::take(x, ready);
  if (last_)
    clear_ = simple_ && (has_table_ ? table_pops_ : result_pops_).last == taken + pool_offset_;
  else
    clear_ = summed() == taken + sum_offset_ && summed() >= quiet_from_;
  return taken;
}

bool SteadyBackEnd::take_passes(int passes) {
  if (!last_) return true;
  const int stored = passes * stored_by(0, job_.windows);
  if (stored_ < pixels_ && stored_ + stored >= pixels_) return false;
  stored_ += stored;
  return true;
}

// The pixels of this pass that windows [from, to) finish.
int SteadyBackEnd::stored_by(int from, int to) const {
  if (!job_.pool) return row_ < job_.tile_rows ? to - from : 0;
  const int y = job_.output_row + row_;
  for (int oy = pool_rows_.first_covering(y); oy <= pool_rows_.last_covering(y); ++oy) {
    if (pool_rows_.closing(oy) != y) continue;
    if (oy - first_pooled_row_ >= job_.tile_rows) return 0;
    int count = 0;
    for (int ox = pool_columns_.first_covering(from); ox < pool_columns_.windows; ++ox)
      count += pool_columns_.closing(ox) >= from && pool_columns_.closing(ox) < to;
    return count;
  }
  return 0;
}

// The window that finishes the `count`-th pixel of those that windows from `from` on finish.
int SteadyBackEnd::x_of(int from, int count) const {
  if (!job_.pool) return from + count - 1;
  for (int ox = pool_columns_.first_covering(from);; ++ox)
    if (pool_columns_.closing(ox) >= from && --count == 0) return pool_columns_.closing(ox);
}

}  // namespace fansim::stream
