// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/vision/hardware/types.h"
#include "axi/job_registers.h"

namespace fansim::vision {

// Holds the machine's registers. A write to the last one starts the job that they describe, in every block at once.
// Throughput: one access per cycle.
// Latency:    an access that is popped at t is answered at t, and a job is started at t.
// Stall:      an access waits while its response cannot leave.
class JobRegisterFile final : public axi::JobStarter<JobStart> {
 public:
  // A job has ended when its rows are written and its last result is taken, whether that is written or not.
  JobRegisterFile(const sc_core::sc_module_name& name, std::size_t blocks, Ended ended)
      : JobStarter(name, vision::JobRegisters(), std::move(ended), blocks) {}

  // Returns the edges from a job's start to its end, of all jobs so far.
  std::int64_t busy_edges() const { return busy_edges_.value(); }

 private:
  void step() override;
  void start() override;

  Job job_;

  sim::Counter busy_edges_{*this, "busy", "cycles", "a job was under way"};
  sim::Counter jobs_{*this, "jobs", "jobs", "jobs started"};
};

}  // namespace fansim::vision
