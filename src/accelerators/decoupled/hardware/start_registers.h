// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/decoupled/hardware/command_unit.h"
#include "axi/job_registers.h"

namespace fansim::decoupled {

// Holds the number of a job of the layer, and a register whose write starts that job in every unit at once.
// Throughput: one access per cycle.
// Latency:    an access that is popped at t is answered at t, and a job is started at t.
// Stall:      an access waits while its response cannot leave.
class StartRegisters final : public axi::JobStarter<JobStart> {
 public:
  StartRegisters(const sc_core::sc_module_name& name, Ended ended)
      : JobStarter(name, decoupled::JobRegisters(), ended, ended.size()) {}

  void layer(const DecoupledLayer& layer) { layer_ = &layer; }

 private:
  void start() override;

  const DecoupledLayer* layer_ = nullptr;

  sim::Counter jobs_{*this, "jobs", "jobs", "jobs started"};
};

}  // namespace fansim::decoupled
