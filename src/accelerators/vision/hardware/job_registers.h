// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "accelerators/vision/hardware/types.h"
#include "axi/types.h"
#include "sim/reg.h"

namespace fansim::vision {

// Holds the machine's registers behind AXI-Lite. A write to the last register starts the job that they describe, in all
// blocks at once. A job must have ended before the next one is started.
// Throughput: one access per cycle.
// Latency:    one cycle from the pop to the visible response; a start is pushed at the edge of the pop.
// Stall:      an access waits while its response cannot leave.
class JobRegisterFile final : public sim::Module {
 public:
  sim::StreamIn<axi::LiteRequest> request{"request"};
  sim::StreamOut<axi::LiteResponse> response{"response"};
  std::vector<std::unique_ptr<sim::StreamOut<JobStart>>> starts;  // one for each block that takes part in jobs

  // A job has ended when its rows have been written and its last result has been taken, whether that result is written
  // or not.
  JobRegisterFile(const sc_core::sc_module_name& name, std::size_t blocks, const sim::Reg<std::int64_t>& rows_done,
                  const sim::Reg<std::int64_t>& results_done);

  // Returns the number of jobs that have ended, which raises the interrupt.
  std::int64_t jobs_done() const { return std::min(rows_done_.get(), results_done_.get()); }
  // Returns the edges from the start of a job to its end, summed up.
  std::int64_t busy() const { return busy_.value(); }

 private:
  void step() override;

  const sim::Reg<std::int64_t>&rows_done_, &results_done_;
  JobRegisters registers_;
  Job job_;

  sim::Counter accesses_{*this, "accesses", "accesses", "register reads and writes"};
  sim::Counter busy_{*this, "busy", "cycles", "a job was under way"};
  sim::Counter jobs_{*this, "jobs", "jobs", "jobs started"};
};

}  // namespace fansim::vision
