// SPDX-License-Identifier: Apache-2.0
#include "timing/tiled/tile_loads.h"

namespace fansim::timing {

void InputLoads::begin(const arch::TiledJob& job, Edge pushed) {
  job_ = job;
  nest_.emplace(job, config_.engine(job.engine));
  runs_ = {};
  m_ = y_ = x_ = n_ = 0;
  busy_ = true;
  issued_ = pushed;
  credits_ = nest_->fc_engine() ? 1 : config_.engine(job.engine).halves();
  freed.clear();
  account.spans.clear();
}

bool InputLoads::advance() {
  bool any = false;
  while (end_tile() || issue() || begin_tile()) any = true;
  return any;
}

bool InputLoads::begin_tile() {
  if (!busy_ || !runs_.done() || (credits_ == 0 && freed.empty()) || (serial() && turns.empty())) return false;
  Edge from = issued_ + 1;
  if (credits_ > 0)
    --credits_;
  else
    from = std::max(from, freed.front() + 1), freed.pop();
  if (serial()) from = std::max(from, turns.front() + 1), turns.pop();
  begun_.push(from);
  issued_ = from - 1;
  next_tile();
  return true;
}

void InputLoads::next_tile() {
  const arch::MapPlace place = arch::input_place(job_);
  const arch::Encoding encoding = config_.input_encoding();
  if (nest_->fc_engine()) {
    runs_ = arch::MapRuns(place, encoding, n_ * job_.fc_block, nest_->fc_inputs(n_), {0, 0, 1, 1});
    busy_ = ++n_ < nest_->fc_blocks();
    return;
  }
  const arch::Region region = nest_->input(nest_->sums(nest_->output(y_, x_)));
  runs_ = arch::MapRuns(place, encoding, n_ * nest_->tn(), nest_->in_channels(n_), region);
  if (++n_ < nest_->n_tiles()) return;
  n_ = 0;
  if (++x_ < nest_->x_tiles()) return;
  x_ = 0;
  if (++y_ < nest_->y_tiles()) return;
  y_ = 0;
  busy_ = ++m_ < nest_->m_tiles();
}

bool InputLoads::issue() {
  if (runs_.done() || !path_.has_room()) return false;
  issued_ = std::max(issued_ + 1, path_.room());
  const arch::Run run = runs_.next();
  path_.push({run.address, run.beats, run.last}, issued_);
  return true;
}

// The loader sees it one edge after the decoder.
bool InputLoads::end_tile() {
  if (path_.ends().empty()) return false;
  const Edge end = path_.ends().front();
  path_.ends().pop();
  filled.push(end);
  account.add({begun_.front(), end + 1});
  begun_.pop();
  if (serial()) turn_over.push(end + 1);
  return true;
}

}  // namespace fansim::timing
