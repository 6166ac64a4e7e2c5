// SPDX-License-Identifier: Apache-2.0
#include "accelerators/decoupled/hardware/start_registers.h"

#include <fmt/format.h>

namespace fansim::decoupled {

StartRegisters::StartRegisters(const sc_core::sc_module_name& name, const std::vector<const CommandUnit*>& units)
    : Module(name), units_(units) {
  for (std::size_t i = 0; i < units.size(); ++i)
    starts.push_back(std::make_unique<sim::StreamOut<JobStart>>(fmt::format("start{}", i).c_str()));
}

std::int64_t StartRegisters::jobs_done() const {
  std::int64_t done = jobs_.value();
  for (const CommandUnit* unit : units_) done = std::min(done, unit->jobs_done().get());
  return done;
}

void StartRegisters::step() {
  if (request.empty()) {
    sleep();
    return;
  }
  if (!request.can_pop() || !response.can_push()) return;
  const axi::LiteRequest access = request.pop();
  axi::LiteResponse& answer = response.push();
  answer = {};
  ++accesses_;
  if (access.address != kJobOffset && access.address != kStartOffset)
    violation(fmt::format("no register at {:#x}", access.address));
  if (!access.write)
    answer.value = access.address == kJobOffset ? job_ : 0;
  else if (access.address == kJobOffset)
    job_ = access.value;
  else
    start();
}

void StartRegisters::start() {
  if (jobs_.value() > jobs_done()) violation("a job is started before the one before has ended");
  if (!layer_ || job_ >= layer_->jobs.size()) violation(fmt::format("the layer has no job {}", job_));
  for (auto& unit : starts) unit->push({layer_, &layer_->jobs[job_]});
  ++jobs_;
}

}  // namespace fansim::decoupled
