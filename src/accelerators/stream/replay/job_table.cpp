// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/replay/job_table.h"

#include "accelerators/stream/config/pool_axis.h"

namespace fansim::stream {

namespace {

// All that matters of a pooled job's rows is which rows of its tile each of them closes.
void add_pooling(const Command& job, std::vector<int>& key) {
  const PoolAxis rows = pool_rows(job);
  const int first_pooled_row = stream::first_pooled_row(job);
  for (int row = 0; row < job.rows * job.parallel; ++row) {
    const int y = job.output_row + row;
    int closed = 0, last = -1;  // the pooled rows that a row closes follow each other
    for (int oy = rows.first_covering(y); oy <= rows.last_covering(y); ++oy)
      if (rows.closing(oy) == y) {
        ++closed;
        last = oy - first_pooled_row;
      }
    key.insert(key.end(), {closed, last});
  }
}

}  // namespace

const JobOutcome* JobTable::find(const Command& job) {
  const bool pool = job.pool != 0;
  const Shape shape{job.start_recurrent,
                    job.steps,
                    job.hidden_input,
                    job.recurrent_output,
                    job.last_round,
                    job.matrix,
                    job.blocks,
                    job.rows,
                    job.x_blocks,
                    job.groups,
                    job.columns,
                    job.windows,
                    job.kernel,
                    job.stride,
                    job.parallel,
                    job.tile_rows,
                    job.output_columns,
                    job.pool,
                    pool ? job.pool_kernel : 0,
                    pool ? job.pool_stride : 0,
                    pool ? job.pool_left : 0,
                    pool ? job.pool_columns : 0,
                    pool ? job.pool_top : 0,
                    pool ? job.pool_rows : 0,
                    pool ? job.output_row : 0,
                    pool ? job.output_rows : 0};
  if (last_ != nullptr && shape == shape_) return last_;
  shape_ = shape;
  key_.assign(shape.begin(), shape.begin() + kLayerFields);
  if (pool) add_pooling(job, key_);
  return last_ = jobs_.find(key_);
}

}  // namespace fansim::stream
