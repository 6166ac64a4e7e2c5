// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "accelerators/trainer/hardware/chip.h"
#include "axi/job_registers.h"

namespace fansim::trainer {

// Holds the machine's registers behind AXI-Lite. A write to the last register starts a job, and the controller then
// runs the job's phases one after another. A job must have ended before the next one is started.
// Throughput: one access per cycle.
// Latency:    an access popped at n is answered at n, and the first phase's start pushed; a phase whose end is seen at
//             n: the next one's start is pushed at n, or the job has ended.
// Stall:      an access waits while its response cannot leave.
class Controller final : public axi::JobRegisters {
 public:
  std::array<std::unique_ptr<sim::StreamOut<PhaseStart>>, kUnits> starts;

  // `ended` counts the phases that each unit has done.
  Controller(const sc_core::sc_module_name& name, std::array<const sim::Reg<std::int64_t>*, kUnits> ended);

  // Returns the edges in each bucket so far.
  const std::array<std::int64_t, kHost>& buckets() const { return buckets_; }
  std::int64_t images() const { return images_.value(); }
  std::string waiting_for() const override { return running_ ? "the end of a phase" : ""; }

 private:
  void step() override;
  void start() override;
  void send();

  const std::array<const sim::Reg<std::int64_t>*, kUnits> ended_;
  Job job_;
  std::unique_ptr<Layout> layout_;
  std::vector<Phase> phases_;
  std::size_t next_ = 0;
  bool running_ = false;
  std::int64_t awaited_ = 0;  // count of finished phases at which the running unit's phase has ended
  std::array<std::int64_t, kHost> buckets_{};

  sim::Reg<std::int64_t> jobs_done_{*this, "jobs_done"};
  sim::Counter images_{*this, "images", "images", "images that were classified or trained"};
  sim::Counter phase_count_{*this, "phases", "phases", "phases begun"};
};

}  // namespace fansim::trainer
