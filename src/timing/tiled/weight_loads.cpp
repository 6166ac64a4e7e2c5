// SPDX-License-Identifier: Apache-2.0
#include "timing/tiled/tile_loads.h"

namespace fansim::timing {

void WeightLoads::begin(const arch::TiledJob& job, Edge pushed) {
  job_ = job;
  nest_.emplace(job, config_.engine(job.engine));
  runs_.emplace(job, config_.engine(job.engine), config_.weight_encoding(), config_.load.reorganise);
  phases_ = nest_->fc_engine() ? nest_->fc_blocks() : nest_->output_tiles() * nest_->n_tiles();
  phase_tiles_ = 1;
  parameters_ = true;
  next_run_ = run_count_ = 0;
  m_ = n_ = k_ = repeat_ = 0;
  from_ = ended_ = pushed + 1;
  credits_ = nest_->fc_engine() ? 2 : config_.weights.halves();
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
  phase_tiles_ = nest_->fc_engine() ? nest_->fc_m_tiles() * nest_->fc_k_tiles(n_) : 1;
  return true;
}

bool WeightLoads::begin_tile() {
  if (next_run_ < run_count_ || phase_tiles_ == 0 || (serial() && (!begun_.empty() || awaited_))) return false;
  Edge from = std::max(from_, serial() ? ended_ : kLongAgo);
  next_run_ = 0;
  run_count_ = 1;
  if (parameters_) {
    awaited_ = true;
    parameters_span.from = from;
  } else {
    if (credits_ == 0 && freed.empty()) return next_run_ = run_count_, false;
    if (credits_ > 0)
      --credits_;
    else
      from = std::max(from, freed.front() + 1), freed.pop();
    begun_.push(from);
    next_tile();
    run_count_ = runs_->count(tile_);
  }
  --phase_tiles_;
  from_ = from;
  return true;
}

void WeightLoads::next_tile() {
  if (nest_->fc_engine()) {
    tile_ = runs_->fc_tile(n_, m_, k_);
    if (++k_ < nest_->fc_k_tiles(n_)) return;
    k_ = 0;
    if (++m_ < nest_->fc_m_tiles()) return;
    m_ = 0;
    ++n_;
    return;
  }
  tile_ = runs_->conv_tile(m_, n_);
  if (++n_ < nest_->n_tiles()) return;
  n_ = 0;
  if (++repeat_ < nest_->y_tiles() * nest_->x_tiles()) return;
  repeat_ = 0;
  ++m_;
}

ReadRun WeightLoads::next_run() {
  const arch::WeightRun run =
      parameters_ ? runs_->parameters(0, job_.instruction.out_channels) : runs_->run(tile_, next_run_);
  ReadRun read{run.run.address, run.run.beats, run.run.last};
  read.scattered = !run.scatter.dense();
  read.values = run.run.values;
  read.skip = run.run.skip;
  read.per_beat = config_.weight_encoding().per_beat();
  return read;
}

bool WeightLoads::issue() {
  if (next_run_ == run_count_ || !path_.has_room()) return false;
  const Edge issued = std::max(from_, path_.room());
  path_.push(next_run(), issued);
  parameters_ = false;
  ++next_run_;
  from_ = issued + 1;
  return true;
}

// The loader sees it one edge after the decoder.
bool WeightLoads::end_tile() {
  if (path_.ends().empty()) return false;
  const Edge end = path_.ends().front();
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

}  // namespace fansim::timing
