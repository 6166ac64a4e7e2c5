// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/timing/engine_flow.h"

#include <algorithm>

namespace fansim::tiled {

namespace {
// The codes that level 1 gives in a cycle fill a set of the FC engine. A convolution's set has tn rows of whole words.
int words_per_set(const Config& config, int number) {
  const EngineConfig& engine = config.engine(number);
  if (number == Config::kFc) return 1;
  return engine.tn * base::ceil_div(engine.tm, config.weight_encoding().per_beat());
}
}  // namespace

EngineFlow::EngineFlow(const Config& config, int number, bool closed_forms)
    : config_(config.engine(number)),
      fc_(number == Config::kFc),
      halves_(fc_ ? 1 : config_.halves()),
      words_per_set_(words_per_set(config, number)),
      shadows_(fc_ ? 2 : 1),
      accumulate_latency_(EngineConfig::accumulate_latency(config.float_sum())),
      latency_(config_.latency(config.float_sum())),
      closed_forms_(closed_forms) {}

void EngineFlow::begin(const TiledJob& job, timing::Edge pushed) {
  begun_ = after_ = pushed + 2;
  ahead_.emplace(job, config_);
  order_.emplace(job, config_);
  const TileNest nest(job, config_);
  free_sums_ = halves_;
  sums_freed.clear();
  set_ = 0;
  if (!fc_) {
    tiles_left_ = std::int64_t{nest.output_tiles()} * nest.n_tiles();
    sets_per_tile_ = job.steps();
    return;
  }
  tiles_left_ = 0;
  for (int block = 0; block < nest.fc_blocks(); ++block)
    tiles_left_ += std::int64_t{nest.fc_m_tiles()} * nest.fc_k_tiles(block);
  sets_per_tile_ = job.fc_steps * job.fc_groups;
}

bool EngineFlow::advance() {
  bool any = false;
  while (step()) any = true;
  // Then everything that can go on before the point that cannot be taken yet.
  while (feed()) any = true;
  while (walk() || leave()) any = true;
  return any;
}

// Takes the next point all its way.
bool EngineFlow::step() {
  const std::int64_t i = taken_.count();
  if (done()) return false;
  if (walker_.entered() == i && !walk()) return false;
  if (walker_.left() == i && !leave()) return false;
  if (order_->new_set() && sets_.count() == sets_taken_.count() && !feed()) return false;
  return take();
}

bool EngineFlow::walk() {
  if (!ahead_ || ahead_->done()) return false;
  timing::Edge input = timing::kLongAgo, sums = timing::kLongAgo;
  const bool opens = ahead_->opens_inputs(), opens_sums = ahead_->opens_sums();
  if (opens) {
    if (inputs_filled.empty()) return false;
    input = inputs_filled.front() + 1;
  }
  if (opens_sums && free_sums_ == 0) {
    if (sums_freed.empty()) return false;
    sums = sums_freed.front() + 1;
  }
  if (!walker_.enter(std::max({begun_, input, sums}))) return false;
  if (opens) inputs_filled.pop();
  if (opens_sums && free_sums_ == 0)
    sums_freed.pop();
  else if (opens_sums)
    --free_sums_;
  input_seen_.add(input);
  const std::int64_t i = walker_.entered() - 1;
  if (ahead_->closes_inputs()) inputs_freed.push(walker_.entered(i));
  ahead_->next();
  if (left_at_ == i - 1) settle();
  return true;
}

bool EngineFlow::leave() {
  const std::int64_t i = walker_.left();
  if (walker_.entered() == i || taken_.count() < i - 1) return false;
  walker_.leave(taken_[i - 2] + 1);
  return true;
}

bool EngineFlow::feed() {
  const std::int64_t k = sets_.count(), before = k - shadows_;
  if (tiles_left_ == 0 || sets_taken_.count() <= before || (set_ == 0 && weights_filled.empty())) return false;
  const timing::Edge half = set_ == 0 ? weights_filled.front() + 1 : timing::kLongAgo;
  if (set_ == 0) weights_filled.pop();
  sets_.add(std::max({begun_, half, sets_.last() + 1, sets_taken_[before] + 1}) + words_per_set_ - 1);
  if (++set_ < sets_per_tile_) return true;
  weights_freed.push(sets_.last());
  set_ = 0;
  --tiles_left_;
  return true;
}

bool EngineFlow::take() {
  const std::int64_t i = taken_.count();
  const timing::Edge set = order_->new_set() ? sets_[sets_taken_.count()] + 1 : timing::kLongAgo;
  const std::int64_t since = order_->since_last_use();
  const timing::Edge sum =
      since > 0 && since < accumulate_latency_ ? taken_[i - since] + accumulate_latency_ : timing::kLongAgo;
  const timing::Edge taken = std::max({walker_.left(i) + 1, taken_.last() + 1, set, sum});
  if (taken > after_) account(taken, set);
  taken_.add(taken);
  after_ = taken + 1;
  if (order_->new_set()) sets_taken_.add(taken);
  if (order_->closes_sums()) sums_complete.push(taken);
  order_->next();
  if (closed_forms_) skip();
  return true;
}

// Accounts the edges before `taken` at which the engine took no point: first the walker waits for inputs, then for
// sums; then its stages fill; then the point waits for its set and for its sum.
void EngineFlow::account(timing::Edge taken, timing::Edge set) {
  const std::int64_t i = taken_.count();
  const timing::Edge read = walker_.entered(i), left = walker_.left(i), input = input_seen_[i];
  if (after_ < read) {
    if (input > after_) waits.input.push_back({after_, std::min(input, read)});
    waits.wait_output += std::max<timing::Edge>(0, read - std::max(after_, input));
  }
  waits.fill += std::max<timing::Edge>(0, left - std::max(after_, read));
  if (left >= after_) {
    left_at_ = i;
    if (walker_.entered() > i + 1 || ahead_->done()) settle();
  }
  const timing::Edge from = std::max(after_, left + 1), seen = std::clamp(set, from, taken);
  if (seen > from) waits.weights.push_back({from, seen});
  waits.fill += taken - seen;
}

// Accounts the edge at which point left_at_ left the walker, by what the walker did then.
void EngineFlow::settle() {
  const std::int64_t next = left_at_ + 1;
  const timing::Edge left = walker_.left(left_at_);
  left_at_ = kNone;
  if (walker_.entered() <= next)
    waits.quiet = left;
  else if (walker_.entered(next) <= left)
    ++waits.fill;
  else if (left < input_seen_[next])
    waits.input.push_back({left, left + 1});
  else
    ++waits.wait_output;
}

}  // namespace fansim::tiled
