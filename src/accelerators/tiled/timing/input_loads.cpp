// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/timing/tile_loads.h"

namespace fansim::tiled {

void InputLoads::begin(const TiledJob& job, timing::Edge pushed) {
  order_.emplace(job, config_);
  runs_ = {};
  issued_ = pushed;
  credits_ = job.engine == Config::kFc ? 1 : config_.engine(job.engine).halves();
  freed.clear();
  account.spans.clear();
}

bool InputLoads::advance() {
  bool any = false;
  while (end_tile() || issue() || begin_tile()) any = true;
  return any;
}

bool InputLoads::begin_tile() {
  if (order_->done() || !runs_.done() || (credits_ == 0 && freed.empty()) || (serial() && turns.empty())) return false;
  timing::Edge from = issued_ + 1;
  if (credits_ > 0)
    --credits_;
  else
    from = std::max(from, freed.front() + 1), freed.pop();
  if (serial()) from = std::max(from, turns.front() + 1), turns.pop();
  begun_.push(from);
  issued_ = from - 1;
  runs_ = order_->next();
  return true;
}

bool InputLoads::issue() {
  if (runs_.done() || !path_.has_room()) return false;
  issued_ = std::max(issued_ + 1, path_.room());
  const Run run = runs_.next();
  path_.push({run.address, run.beats, run.last, {}}, issued_);
  return true;
}

// The loader sees it one edge after the decoder.
bool InputLoads::end_tile() {
  if (path_.ends().empty()) return false;
  const timing::Edge end = path_.ends().front();
  path_.ends().pop();
  filled.push(end);
  account.add({begun_.front(), end + 1});
  begun_.pop();
  if (serial()) turn_over.push(end + 1);
  return true;
}

}  // namespace fansim::tiled
