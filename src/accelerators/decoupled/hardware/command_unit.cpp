// SPDX-License-Identifier: Apache-2.0
#include "accelerators/decoupled/hardware/command_unit.h"

#include "accelerators/decoupled/config/check.h"

namespace fansim::decoupled {

CommandUnit::CommandUnit(const sc_core::sc_module_name& name, Unit unit, const Config& config)
    : Module(name), config_(config), unit_(unit) {}

void CommandUnit::step() {
  if (!command_) {
    if (next_ == commands_.size()) {
      if (start.empty()) {
        sleep();
        return;
      }
      if (!start.can_pop()) return;
      take_up(start.pop());
      if (commands_.empty()) {
        end();
        return;
      }
    }
    if (!take_tokens(*commands_[next_])) return;
    command_ = commands_[next_++];
    if (const std::string reason = refusal(*command_, config_); !reason.empty()) violation(reason);
    ++executed_;
    begin(*command_);
  }
  if (!work(*command_)) return;
  for (std::size_t to = 0; to < kUnits; ++to)
    if ((command_->gives >> to & 1) != 0) tokens_[to].set(tokens_[to].next() + 1);
  command_ = nullptr;
  if (next_ == commands_.size()) end();
}

// Discards no token: all units take up their lists before any unit gives a token.
void CommandUnit::take_up(const JobStart& job) {
  layer_ = job.layer;
  commands_.clear();
  next_ = 0;
  for (const Command& command : job.job->commands)
    if (command.unit == unit_) commands_.push_back(&command);
  for (std::size_t from = 0; from < kUnits; ++from)
    if (sources_[from]) taken_[from] = sources_[from]->get();
  spans_.push_back({now(), now() - 1});
}

bool CommandUnit::take_tokens(const Command& command) {
  for (const Unit from : {Unit::load, Unit::load_weights, Unit::store, Unit::compute}) {
    if ((command.waits & bit(from)) == 0) continue;
    const sim::Reg<std::int64_t>* source = sources_[index(from)];
    if (source && source->get() > taken_[index(from)]) continue;
    waits(from);
    return false;
  }
  for (std::size_t from = 0; from < kUnits; ++from) taken_[from] += command.waits >> from & 1;
  return true;
}

void CommandUnit::end() {
  if (!commands_.empty()) spans_.back().to = now();
  jobs_done_.set(jobs_done_.next() + 1);
}

std::string CommandUnit::waiting_for() const {
  if (command_) return "its transfers";
  return next_ < commands_.size() ? "tokens" : "";
}

}  // namespace fansim::decoupled
