// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/timing/back_end.h"

#include <algorithm>

namespace fansim::stream {

BackEnd::BackEnd(const ArrayConfig& config)
    : channels_(config.output_channels),
      cell_latency_(config.cell_latency()),
      has_table_(config.code_table),
      array_(config.mac_latency()),
      tree_(config.adder_tree_latency()),
      accumulator_(ArrayConfig::accumulator_latency()),
      quantiser_(ArrayConfig::quantiser_latency()),
      table_(ArrayConfig::code_table_latency()),
      activation_(ArrayConfig::activation_latency()) {}

void BackEnd::begin_job(const Command& job) {
  job_ = job;
  const int groups = job.recurrent_output ? job.groups / 4 : job.groups;
  pixels_ = job.tile_rows * groups * job.output_columns;
  stored_ = 0;
  tile_ = timing::kNever;
  if (!job.pool) return;
  pool_columns_ = pool_columns(job);
  pool_rows_ = pool_rows(job);
  first_pooled_row_ = first_pooled_row(job);
}

void BackEnd::begin_pass(int row, bool last) {
  row_ = row;
  last_ = last;
}

// A stream adds an edge: what is pushed at n is popped at n + 1.
timing::Edge BackEnd::take(int x, timing::Edge ready) {
  const timing::Edge taken = array_.enter(ready);
  product_pops_.add(tree_.enter(array_.leave(product_pops_.room()) + 1));
  const timing::Edge sums = tree_.leave(sum_pops_.room()) + 1;
  timing::Edge summed = accumulator_.moving(std::max(sums, sum_pops_.last + 1));
  if (last_) {
    for (int row = 0; row < job_.parallel; ++row) {
      summed = accumulator_.enter(row == 0 ? summed : summed + 1);
      total(accumulator_.leave(total_pops_.room()), x, row_ * job_.parallel + row);
    }
  }
  sum_pops_.add(summed);
  return taken;
}

void BackEnd::total(timing::Edge pushed, int x, int row) {
  total_pops_.add(quantiser_.enter(pushed + 1));
  const timing::Edge result = quantiser_.leave(result_pops_.room()) + 1;
  if (job_.recurrent_output) {
    result_pops_.add(activation_.enter(result));
    collect(activation_.leave(gate_pops_.room()) + 1);
  } else if (has_table_) {
    result_pops_.add(table_.enter(result));
    table_pops_.add(std::max(table_.leave(table_pops_.room()) + 1, pool_free_));
    pool(table_pops_.last, x, row);
  } else {
    result_pops_.add(std::max(result, pool_free_));
    pool(result_pops_.last, x, row);
  }
}

// The pooling unit takes an edge for each pixel that it finishes, and for each closed column that finishes none.
void BackEnd::pool(timing::Edge popped, int x, int row) {
  timing::Edge sent = popped;
  if (!job_.pool) {
    store(++sent + 1, row);
  } else {
    const int y = job_.output_row + row;
    for (int i = pool_columns_.closed(x); i > 0; --i) {
      bool any = false;
      for (int oy = pool_rows_.first_covering(y); oy <= pool_rows_.last_covering(y); ++oy) {
        if (pool_rows_.closing(oy) != y) continue;
        any = true;
        store(++sent + 1, oy - first_pooled_row_);
      }
      sent += !any;
    }
  }
  pool_free_ = std::max(popped + 1, sent);
  quiet_from_ = std::max(quiet_from_, sent + 1);
}

void BackEnd::store(timing::Edge popped, int row) {
  if (row < job_.tile_rows && ++stored_ == pixels_) tile_ = popped;
}

// The cell works on a set of four gates, one hidden unit per edge, while the next set is collected.
void BackEnd::collect(timing::Edge offered) {
  gate_pops_.add(std::max({offered, gate_pops_.last + 1, gates_ == 0 ? cell_begun_ : timing::kLongAgo}));
  if (++gates_ < 4) return;
  gates_ = 0;
  cell_begun_ = std::max(gate_pops_.last + 1, cell_free_);
  cell_free_ = cell_begun_ + channels_;
  const timing::Edge complete = cell_free_ - 1 + cell_latency_;
  quiet_from_ = std::max(quiet_from_, complete + 1);
  store(complete + 1, 0);
  if (++blocks_ < job_.groups / 4) return;
  blocks_ = 0;
  step_done_ = complete;
}

}  // namespace fansim::stream
