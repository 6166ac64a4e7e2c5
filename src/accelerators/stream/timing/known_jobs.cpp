// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/timing/known_jobs.h"

#include <string_view>

#include "accelerators/stream/config/pool_axis.h"

namespace fansim::stream {

namespace {

// Of a pooled job's rows only this counts: which rows of its tile each of them closes.
void add_pooling(const Command& job, std::vector<int>& key) {
  const PoolAxis rows = pool_rows(job);
  const int first_pooled_row = stream::first_pooled_row(job);
  key.insert(key.end(), {job.pool_kernel, job.pool_stride, job.pool_left, job.pool_columns});
  for (int row = 0; row < job.rows * job.parallel; ++row) {
    const int y = job.output_row + row;
    int closed = 0, last = -1;  // those that a row closes follow each other
    for (int oy = rows.first_covering(y); oy <= rows.last_covering(y); ++oy)
      if (rows.closing(oy) == y) ++closed, last = oy - first_pooled_row;
    key.insert(key.end(), {closed, last});
  }
}

}  // namespace

const KnownJob* KnownJobs::find(const Command& job) {
  key_ = {job.start_recurrent, job.steps,  job.hidden_input, job.recurrent_output, job.last_round,     job.matrix,
          job.blocks,          job.rows,   job.x_blocks,     job.groups,           job.columns,        job.windows,
          job.kernel,          job.stride, job.parallel,     job.tile_rows,        job.output_columns, job.pool};
  if (job.pool) add_pooling(job, key_);
  if (last_ == nullptr || last_->first != key_) {
    const auto known = jobs_.find(key_);
    if (known == jobs_.end()) return nullptr;
    last_ = &*known;
  }
  return &last_->second;
}

std::size_t KnownJobs::Hash::operator()(const Key& key) const {
  return std::hash<std::string_view>()({reinterpret_cast<const char*>(key.data()), key.size() * sizeof key[0]});
}

}  // namespace fansim::stream
