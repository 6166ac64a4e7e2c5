// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/timing/output_flow.h"

#include <algorithm>

namespace fansim::tiled {

OutputFlow::OutputFlow(const Config& config, WriteStream& path)
    : config_(config), path_(path), post_latency_(config.store.post_latency(config.float_sum())) {}

void OutputFlow::begin(const TiledJob& job, timing::Edge pushed) {
  job_ = job;
  nest_.emplace(job, config_.engine(job.engine));
  to_process_ = to_begin_ = to_end_ = nest_->fc_engine() ? 1 : nest_->output_tiles();
  tile_ = m_ = y_ = x_ = 0;
  process_from_ = pushed + 2;
  free_outputs_ = StoreConfig::kHalves;
  path_.freed().clear();
  account.spans.clear();
  post_spans.clear();
}

bool OutputFlow::advance() {
  bool any = false;
  while (process() || end_tile() || begin_tile()) any = true;
  return any;
}

int OutputFlow::reads_of(int tile) const {
  const int lanes = config_.store.lanes;
  if (!nest_->fc_engine()) {
    const int places = nest_->y_tiles() * nest_->x_tiles(), place = tile % places;
    const Region out = nest_->output(place / nest_->x_tiles(), place % nest_->x_tiles());
    return base::ceil_div(nest_->out_channels(tile / places), lanes) * nest_->post_edges(out);
  }
  const int whole = job_.instruction.out_channels / nest_->tm(), rest = job_.instruction.out_channels % nest_->tm();
  return whole * base::ceil_div(nest_->tm(), lanes) + base::ceil_div(rest, lanes);
}

bool OutputFlow::process() {
  if (to_process_ == 0 || sums_complete.empty() || (tile_ == 0 && parameters.empty())) return false;
  if (free_outputs_ == 0 && path_.freed().empty()) return false;
  timing::Edge from = std::max(process_from_, sums_complete.front() + 1);
  if (tile_ == 0) {
    from = std::max(from, parameters.front() + 1);
    parameters.pop();
  }
  if (free_outputs_ > 0)
    --free_outputs_;
  else {
    from = std::max(from, path_.freed().front() + 1);
    path_.freed().pop();
  }
  sums_complete.pop();
  const int count = reads_of(tile_);
  const timing::Edge last = from + count - 1;
  reads += count;
  sums_freed.push(last);
  complete_.push(last + post_latency_);
  post_spans.push_back({from, last + post_latency_});
  process_from_ = last + 1;
  ++tile_;
  --to_process_;
  return true;
}

bool OutputFlow::begin_tile() {
  if (to_begin_ == 0 || complete_.empty()) return false;
  --to_begin_;
  for (MapExtents runs = next_runs(); !runs.done();) path_.push(runs.next());
  path_.begin(complete_.pop() + 1);
  return true;
}

// Returns the runs of the next tile.
MapExtents OutputFlow::next_runs() {
  const MapPlace place = output_place(job_);
  const Encoding encoding = config_.output_encoding();
  if (nest_->fc_engine()) return {place, encoding, 0, job_.instruction.out_channels, {0, 0, 1, 1}};
  const MapExtents runs(place, encoding, m_ * nest_->tm(), nest_->out_channels(m_), nest_->output(y_, x_));
  if (++x_ < nest_->x_tiles()) return runs;
  x_ = 0;
  if (++y_ < nest_->y_tiles()) return runs;
  y_ = 0;
  ++m_;
  return runs;
}

// The store unit sees the end of a tile one edge after the writer.
bool OutputFlow::end_tile() {
  if (path_.ends().empty()) return false;
  end_ = path_.ends().pop() + 1;
  account.add({path_.begun().pop(), end_});
  --to_end_;
  return true;
}

}  // namespace fansim::tiled
