// SPDX-License-Identifier: Apache-2.0
#include "datapath/tiled/weight_loader.h"

namespace fansim::datapath {

WeightLoader::WeightLoader(const sc_core::sc_module_name& name, const arch::TiledConfig& config)
    : Module(name), config_(config), conv_credits_(config.weights.halves()) {}

void WeightLoader::step() {
  collect();
  if (next_run_ == run_count_) {
    if (phase_tiles_ == 0 && !begin_phase()) return;
    if (serial() && under_way_ > 0) return;
    if (!begin_tile()) return;
  }
  issue();
}

void WeightLoader::collect() {
  for (std::size_t e = 0; e < freed_.size(); ++e) {
    if (!freed_[e]->can_pop()) continue;
    freed_[e]->pop();
    ++(e == arch::TiledConfig::kFc ? fc_credits_ : conv_credits_);
  }
  if (!done.can_pop()) return;
  done.pop();
  --under_way_;
  if (!parameters_awaited_) account_.end(now());
  parameters_awaited_ = false;
  if (serial() && phase_tiles_ == 0 && under_way_ == 0 && phases_ > 0) turn_over.push(Turn{});
}

bool WeightLoader::begin_phase() {
  if (phases_ == 0) {
    if (job.can_pop())
      begin_layer();
    else if (job.empty() && under_way_ == 0)
      sleep();
    return phase_tiles_ > 0;
  }
  if (serial()) {
    if (!turn.can_pop()) return false;
    turn.pop();
  }
  --phases_;
  const arch::TileNest nest(job_, config_.engine(job_.engine));
  phase_tiles_ = nest.fc_engine() ? nest.fc_m_tiles() * nest.fc_k_tiles(n_) : 1;
  return true;
}

void WeightLoader::begin_layer() {
  job_ = job.pop();
  const arch::EngineConfig& engine = config_.engine(job_.engine);
  runs_.emplace(job_, engine, config_.weight_encoding(), config_.load.reorganise);
  const arch::TileNest nest(job_, engine);
  phases_ = nest.fc_engine() ? nest.fc_blocks() : nest.output_tiles() * nest.n_tiles();
  phase_tiles_ = 1;
  parameters_ = true;
  m_ = n_ = k_ = repeat_ = 0;
}

bool WeightLoader::begin_tile() {
  next_run_ = 0;
  run_count_ = 1;
  if (parameters_) {
    parameters_awaited_ = true;
  } else {
    int& credits = job_.engine == arch::TiledConfig::kFc ? fc_credits_ : conv_credits_;
    if (credits == 0) return run_count_ = 0, false;
    --credits;
    account_.begin(now());
    const arch::TileNest nest(job_, config_.engine(job_.engine));
    if (nest.fc_engine())
      next_fc_tile(nest);
    else
      next_conv_tile(nest);
    run_count_ = runs_->count(tile_);
  }
  --phase_tiles_;
  ++under_way_;
  return true;
}

void WeightLoader::next_conv_tile(const arch::TileNest& nest) {
  tile_ = runs_->conv_tile(m_, n_);
  if (++n_ < nest.n_tiles()) return;
  n_ = 0;
  if (++repeat_ < nest.y_tiles() * nest.x_tiles()) return;
  repeat_ = 0;
  ++m_;
}

void WeightLoader::next_fc_tile(const arch::TileNest& nest) {
  tile_ = runs_->fc_tile(n_, m_, k_);
  if (++k_ < nest.fc_k_tiles(n_)) return;
  k_ = 0;
  if (++m_ < nest.fc_m_tiles()) return;
  m_ = 0;
  ++n_;
}

void WeightLoader::issue() {
  if (!requests.can_push() || !commands.can_push()) return;
  const arch::WeightRun run =
      parameters_ ? runs_->parameters(0, job_.instruction.out_channels) : runs_->run(tile_, next_run_);
  parameters_ = false;
  requests.push(run.run);
  commands.push(run);
  ++next_run_;
  ++runs_out_;
}

}  // namespace fansim::datapath
