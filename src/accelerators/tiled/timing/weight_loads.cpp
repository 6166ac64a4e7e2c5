// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/timing/tile_loads.h"

namespace fansim::tiled {

void WeightLoads::begin(const TiledJob& job, timing::Edge pushed) {
  order_.emplace(job, config_);
  phases_ = order_->phases();
  phase_tiles_ = 1;
  parameters_ = true;
  next_run_ = run_count_ = 0;
  from_ = ended_ = pushed + 1;
  credits_ = job.engine == Config::kFc ? 2 : config_.weights.halves();
  freed.clear();
  account.spans.clear();
}

bool WeightLoads::advance() {
  bool any = false;
  while (end_tile() || issue() || begin_tile() || begin_phase()) any = true;
  return any;
}

bool WeightLoads::begin_phase() {
  if (next_run_ < run_count_ || phase_tiles_ > 0 || phases_ == 0 || (serial() && turns.empty())) return false;
  if (serial()) from_ = std::max(from_, turns.front() + 1), turns.pop();
  --phases_;
  phase_tiles_ = order_->tiles_of_phase();
  return true;
}

bool WeightLoads::begin_tile() {
  if (next_run_ < run_count_ || phase_tiles_ == 0 || (serial() && (!begun_.empty() || awaited_))) return false;
  timing::Edge from = std::max(from_, serial() ? ended_ : timing::kLongAgo);
  next_run_ = 0;
  run_count_ = 1;
  if (parameters_) {
    awaited_ = true;
    parameters_span.from = from;
  } else {
    if (credits_ == 0 && freed.empty()) {
      next_run_ = run_count_;
      return false;
    }
    if (credits_ > 0)
      --credits_;
    else
      from = std::max(from, freed.front() + 1), freed.pop();
    begun_.push(from);
    tile_ = order_->next();
    run_count_ = order_->runs(tile_);
  }
  --phase_tiles_;
  from_ = from;
  return true;
}

ReadRun WeightLoads::next_run() {
  const WeightRun run = parameters_ ? order_->parameters() : order_->run(tile_, next_run_);
  const Decoding decoding{!run.scatter.dense(), run.run.values, run.run.skip, config_.weight_encoding().per_beat()};
  return {run.run.address, run.run.beats, run.run.last, decoding};
}

bool WeightLoads::issue() {
  if (next_run_ == run_count_ || !path_.has_room()) return false;
  const timing::Edge issued = std::max(from_, path_.room());
  path_.push(next_run(), issued);
  parameters_ = false;
  ++next_run_;
  from_ = issued + 1;
  return true;
}

// The loader sees it one edge after the decoder.
bool WeightLoads::end_tile() {
  if (path_.ends().empty()) return false;
  const timing::Edge end = path_.ends().front();
  path_.ends().pop();
  ended_ = end + 1;
  if (awaited_) {
    awaited_ = false;
    parameters_span.to = end + 1;
    parameters.push(end);
  } else {
    filled.push(end);
    account.add({begun_.front(), end + 1});
    begun_.pop();
  }
  if (serial() && phase_tiles_ == 0 && begun_.empty() && phases_ > 0) turn_over.push(end + 1);
  return true;
}

}  // namespace fansim::tiled
