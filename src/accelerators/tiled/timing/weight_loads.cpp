// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/timing/tile_loads.h"

namespace fansim::tiled {

void WeightLoads::begin(const TiledJob& job, timing::Edge pushed) {
  order_.emplace(job, config_);
  phases_ = order_->phases();
  phase_tiles_ = 1;
  parameters_ = true;
  from_ = pushed + 1;
  credits_ = job.engine == Config::kFc ? 2 : config_.weights.halves();
  freed.clear();
  account.spans.clear();
}

bool WeightLoads::advance() {
  bool any = false;
  while (end_tile() || begin_tile() || begin_phase()) any = true;
  return any;
}

bool WeightLoads::begin_phase() {
  if (phase_tiles_ > 0 || phases_ == 0 || (serial() && turns.empty())) return false;
  if (serial()) from_ = std::max(from_, turns.pop() + 1);
  --phases_;
  phase_tiles_ = order_->tiles_of_phase();
  return true;
}

bool WeightLoads::begin_tile() {
  if (phase_tiles_ == 0 || (serial() && tiles_ > 0)) return false;
  if (parameters_) {
    push(order_->parameters());
    parameters_ = false;
    awaited_ = true;
  } else {
    if (credits_ == 0 && freed.empty()) return false;
    if (credits_ > 0)
      --credits_;
    else
      from_ = std::max(from_, freed.pop() + 1);
    const WeightTile tile = order_->next();
    for (int i = 0, runs = order_->runs(tile); i < runs; ++i) push(order_->run(tile, i));
  }
  --phase_tiles_;
  ++tiles_;
  path_.begin(from_);
  return true;
}

void WeightLoads::push(const WeightExtent& run) {
  const Decoding decoding{!run.scatter.dense(), run.run.values, run.run.skip, config_.weight_encoding().per_beat()};
  path_.push({run.run.address, run.run.beats, run.run.last, decoding});
}

// The loader sees the end of a tile one edge after the decoder. In serial order the next tile begins then.
bool WeightLoads::end_tile() {
  if (path_.ends().empty()) return false;
  const timing::Edge end = path_.ends().pop();
  const timing::Span span{path_.begun().pop(), end + 1};
  --tiles_;
  if (serial()) from_ = std::max(from_, end + 1);
  if (awaited_) {
    awaited_ = false;
    parameters_span = span;
    parameters.push(end);
  } else {
    filled.push(end);
    account.add(span);
  }
  if (serial() && phase_tiles_ == 0 && phases_ > 0) turn_over.push(end + 1);
  return true;
}

}  // namespace fansim::tiled
