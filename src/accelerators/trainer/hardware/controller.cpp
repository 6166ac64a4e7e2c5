// SPDX-License-Identifier: Apache-2.0
#include "accelerators/trainer/hardware/controller.h"

#include <fmt/format.h>

namespace fansim::trainer {

Controller::Controller(const sc_core::sc_module_name& name, std::array<const sim::Reg<std::int64_t>*, kUnits> ended)
    : JobRegisters(name, trainer::JobRegisters(), {&jobs_done_}), ended_(ended) {
  for (std::size_t i = 0; i < kUnits; ++i)
    starts[i] = std::make_unique<sim::StreamOut<PhaseStart>>(fmt::format("start{}", i).c_str());
}

void Controller::step() {
  if (running_) {
    const Phase& phase = phases_[next_ - 1];
    ++buckets_[phase.bucket];
    if (ended_[static_cast<std::size_t>(phase.unit)]->get() == awaited_) {
      if (next_ < phases_.size()) {
        send();
      } else {
        running_ = false;
        jobs_done_.set(jobs_done_.next() + 1);
      }
    }
  } else if (request.empty()) {
    sleep();
    return;
  }
  if (running_ && request.can_pop() && request.front().write) violation("a register is written while a job runs");
  take_access();
}

void Controller::start() {
  job_ = decode(registers());
  layout_ = std::make_unique<Layout>(job_);
  phases_ = phases_of(job_);
  next_ = 0;
  running_ = true;
  if (job_.command == Command::infer || job_.command == Command::train) ++images_;
  send();
}

void Controller::send() {
  const Phase& phase = phases_[next_++];
  const auto unit = static_cast<std::size_t>(phase.unit);
  awaited_ = ended_[unit]->next() + 1;
  starts[unit]->push({&job_, layout_.get(), phase});
  ++phase_count_;
}

}  // namespace fansim::trainer
