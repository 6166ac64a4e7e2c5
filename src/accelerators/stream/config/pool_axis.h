// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/stream/config/command.h"
#include "contract/pool_axis.h"

namespace fansim::stream {

using contract::PoolAxis;

inline PoolAxis pool_columns(const Command& job) {
  return {job.pool_kernel, job.pool_stride, job.pool_left, job.windows, job.pool_columns};
}

inline PoolAxis pool_rows(const Command& job) {
  return {job.pool_kernel, job.pool_stride, job.pool_top, job.output_rows, job.pool_rows};
}

// Returns the first pooled row that this job completes.
inline int first_pooled_row(const Command& job) {
  const PoolAxis rows = pool_rows(job);
  int row = 0;
  while (row < rows.windows && rows.closing(row) < job.output_row) ++row;
  return row;
}

}  // namespace fansim::stream
