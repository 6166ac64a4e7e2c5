// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "accelerators/stream/config/command.h"

namespace fansim::stream {

// Pooling windows along one axis: window i covers [i * stride - before, i * stride - before + kernel), clipped to the
// map.
struct PoolAxis {
  int kernel, stride, before, size, windows;

  int first_covering(int at) const { return std::max(0, (at + before - kernel) / stride + (at + before >= kernel)); }
  int last_covering(int at) const { return std::min(windows - 1, (at + before) / stride); }
  bool opens(int window, int at) const { return at == std::max(0, window * stride - before); }
  int closing(int window) const { return std::min(size - 1, window * stride - before + kernel - 1); }
  // How many windows `at` closes.
  int closed(int at) const {
    int count = 0;
    for (int window = first_covering(at); window <= last_covering(at); ++window) count += closing(window) == at;
    return count;
  }
};

inline PoolAxis pool_columns(const Command& job) {
  return {job.pool_kernel, job.pool_stride, job.pool_left, job.windows, job.pool_columns};
}

inline PoolAxis pool_rows(const Command& job) {
  return {job.pool_kernel, job.pool_stride, job.pool_top, job.output_rows, job.pool_rows};
}

// The first pooled row that this job completes.
inline int first_pooled_row(const Command& job) {
  const PoolAxis rows = pool_rows(job);
  int row = 0;
  while (row < rows.windows && rows.closing(row) < job.output_row) ++row;
  return row;
}

}  // namespace fansim::stream
