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
  if (access.address / 4 >= registers_.words.size()) violation(fmt::format("no register at {:#x}", access.address));
  if (!access.write)
    answer.value = registers_.words[access.address / 4];
  else if (registers_.write(access.address, access.value))
    start();
}

void StartRegisters::start() {
  if (jobs_.value() > jobs_done()) violation("a job is started before the one before has ended");
  const std::size_t job = job_of(registers_);
  if (!layer_ || job >= layer_->jobs.size()) violation(fmt::format("the layer has no job {}", job));
  for (auto& unit : starts) unit->push({layer_, &layer_->jobs[job]});
  ++jobs_;
}

}  // namespace fansim::decoupled
