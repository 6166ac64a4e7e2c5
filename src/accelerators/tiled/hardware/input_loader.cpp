// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/hardware/input_loader.h"

#include <algorithm>

namespace fansim::tiled {

InputLoader::InputLoader(const sc_core::sc_module_name& name, const Config& config) : Module(name), config_(config) {
  for (int e = 0; e < Config::kEngines; ++e)
    credits_[static_cast<std::size_t>(e)] = e == Config::kFc ? 1 : config.engine(e).halves();
}

void InputLoader::step() {
  collect();
  if (!left() && runs_.done()) {
    if (!job.can_pop()) {
      await();
      return;
    }
    job_ = job.pop();
    order_.emplace(job_, config_);
  }
  if (runs_.done() && !(left() && begin_tile())) {
    await();
    return;
  }
  issue();
}

// Sleeps until something comes.
void InputLoader::await() {
  if (job.empty() && done.empty() && turn.empty() && all_collected()) sleep();
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
  if (config_.load.order == LoadOrder::serial) turn_over.push(Turn{});
}

bool InputLoader::all_collected() const {
  return std::all_of(freed_.begin(), freed_.end(), [](const auto* freed) { return freed->empty(); });
}

bool InputLoader::begin_tile() {
  int& credits = credits_[static_cast<std::size_t>(job_.engine)];
  if (credits == 0) return false;
  if (config_.load.order == LoadOrder::serial) {
    if (!turn.can_pop()) return false;
    turn.pop();
  }
  --credits;
  account_.begin(now());
  runs_ = order_->next();
  return true;
}

void InputLoader::issue() {
  if (!requests.can_push() || !commands.can_push()) return;
  const Extent run = runs_.next();
  requests.push(run);
  commands.push({run, job_.engine, job_.in_unsigned != 0});
  ++runs_out_;
}

}  // namespace fansim::tiled
