// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/hardware/weight_loader.h"

#include <algorithm>

namespace fansim::tiled {

WeightLoader::WeightLoader(const sc_core::sc_module_name& name, const Config& config)
    : Module(name), config_(config), conv_credits_(config.weights.halves()) {}

void WeightLoader::step() {
  collect();
  if (next_run_ == run_count_) {
    if (phase_tiles_ == 0 && !begin_phase()) {
      await();
      return;
    }
    if (serial() && under_way_ > 0) {
      await();
      return;
    }
    if (!begin_tile()) {
      await();
      return;
    }
  }
  issue();
}

// Sleeps until something comes.
void WeightLoader::await() {
  if (job.empty() && done.empty() && turn.empty() && all_collected()) sleep();
}

void WeightLoader::collect() {
  for (std::size_t e = 0; e < freed_.size(); ++e) {
    if (!freed_[e]->can_pop()) continue;
    freed_[e]->pop();
    ++(e == Config::kFc ? fc_credits_ : conv_credits_);
  }
  if (!done.can_pop()) return;
  done.pop();
  --under_way_;
  if (!parameters_awaited_) account_.end(now());
  parameters_awaited_ = false;
  if (serial() && phase_tiles_ == 0 && under_way_ == 0 && phases_ > 0) turn_over.push(Turn{});
}

bool WeightLoader::all_collected() const {
  return std::all_of(freed_.begin(), freed_.end(), [](const auto* freed) { return freed->empty(); });
}

bool WeightLoader::begin_phase() {
  if (phases_ == 0) {
    if (job.can_pop()) begin_layer();
    return phase_tiles_ > 0;
  }
  if (serial()) {
    if (!turn.can_pop()) return false;
    turn.pop();
  }
  --phases_;
  phase_tiles_ = order_->tiles_of_phase();
  return true;
}

void WeightLoader::begin_layer() {
  job_ = job.pop();
  order_.emplace(job_, config_);
  phases_ = order_->phases();
  phase_tiles_ = 1;
  parameters_ = true;
}

bool WeightLoader::begin_tile() {
  next_run_ = 0;
  run_count_ = 1;
  if (parameters_) {
    parameters_awaited_ = true;
  } else {
    int& credits = job_.engine == Config::kFc ? fc_credits_ : conv_credits_;
    if (credits == 0) {
      run_count_ = 0;
      return false;
    }
    --credits;
    account_.begin(now());
    tile_ = order_->next();
    run_count_ = order_->runs(tile_);
  }
  --phase_tiles_;
  ++under_way_;
  return true;
}

void WeightLoader::issue() {
  if (!requests.can_push() || !commands.can_push()) return;
  const WeightExtent run = parameters_ ? order_->parameters() : order_->run(tile_, next_run_);
  parameters_ = false;
  requests.push(run.run);
  commands.push(run);
  ++next_run_;
  ++runs_out_;
}

}  // namespace fansim::tiled
