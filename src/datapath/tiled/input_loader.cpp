// SPDX-License-Identifier: Apache-2.0
#include "datapath/tiled/input_loader.h"

namespace fansim::datapath {

InputLoader::InputLoader(const sc_core::sc_module_name& name, const arch::TiledConfig& config)
    : Module(name), config_(config) {
  for (int e = 0; e < arch::TiledConfig::kEngines; ++e)
    credits_[static_cast<std::size_t>(e)] = e == arch::TiledConfig::kFc ? 1 : config.engine(e).halves();
}

void InputLoader::step() {
  collect();
  if (!busy_ && runs_.done()) {
    if (!job.can_pop()) {
      if (job.empty() && account_.none_under_way()) sleep();
      return;
    }
    job_ = job.pop();
    busy_ = true;
    m_ = y_ = x_ = n_ = 0;
  }
  if (runs_.done() && !(busy_ && begin_tile())) return;
  issue();
}

void InputLoader::collect() {
  for (std::size_t e = 0; e < freed_.size(); ++e) {
    if (!freed_[e]->can_pop()) continue;
    freed_[e]->pop();
    ++credits_[e];
  }
  if (!done.can_pop()) return;
  done.pop();
  account_.end(now());
  if (config_.load.order == arch::LoadOrder::serial) turn_over.push(Turn{});
}

bool InputLoader::begin_tile() {
  int& credits = credits_[static_cast<std::size_t>(job_.engine)];
  if (credits == 0) return false;
  if (config_.load.order == arch::LoadOrder::serial) {
    if (!turn.can_pop()) return false;
    turn.pop();
  }
  --credits;
  account_.begin(now());
  next_tile();
  return true;
}

// The tile at the counters, which move on.
void InputLoader::next_tile() {
  const arch::TileNest nest(job_, config_.engine(job_.engine));
  const arch::MapPlace place = input_place(job_);
  const arch::Encoding encoding = config_.input_encoding();
  if (nest.fc_engine()) {
    runs_ = arch::MapRuns(place, encoding, n_ * job_.fc_block, nest.fc_inputs(n_), {0, 0, 1, 1});
    busy_ = ++n_ < nest.fc_blocks();
    return;
  }
  const arch::Region region = nest.input(nest.sums(nest.output(y_, x_)));
  runs_ = arch::MapRuns(place, encoding, n_ * nest.tn(), nest.in_channels(n_), region);
  if (++n_ < nest.n_tiles()) return;
  n_ = 0;
  if (++x_ < nest.x_tiles()) return;
  x_ = 0;
  if (++y_ < nest.y_tiles()) return;
  y_ = 0;
  busy_ = ++m_ < nest.m_tiles();
}

void InputLoader::issue() {
  if (!requests.can_push() || !commands.can_push()) return;
  const arch::Run run = runs_.next();
  requests.push(run);
  commands.push({run, job_.engine, job_.in_unsigned != 0});
  ++runs_out_;
}

}  // namespace fansim::datapath
