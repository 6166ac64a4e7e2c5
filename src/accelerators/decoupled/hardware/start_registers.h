// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "accelerators/decoupled/hardware/command_unit.h"
#include "axi/types.h"

namespace fansim::decoupled {

// Holds the machine's registers behind AXI-Lite: one for the number of a job in the layer, and one whose write starts
// that job in all units at once. A job must have ended before the next one is started.
// Throughput: one access per cycle.
// Latency:    one cycle from the pop to the visible response; a start is pushed at the edge of the pop.
// Stall:      an access waits while its response cannot leave.
class StartRegisters final : public sim::Module {
 public:
  sim::StreamIn<axi::LiteRequest> request{"request"};
  sim::StreamOut<axi::LiteResponse> response{"response"};
  std::vector<std::unique_ptr<sim::StreamOut<JobStart>>> starts;  // one for each unit

  StartRegisters(const sc_core::sc_module_name& name, const std::vector<const CommandUnit*>& units);

  void layer(const DecoupledLayer& layer) { layer_ = &layer; }
  // Returns the number of jobs that all units have ended, which raises the interrupt.
  std::int64_t jobs_done() const;

 private:
  void step() override;
  void start();

  const std::vector<const CommandUnit*> units_;
  const DecoupledLayer* layer_ = nullptr;
  JobRegisters registers_;

  sim::Counter accesses_{*this, "accesses", "accesses", "register reads and writes"};
  sim::Counter jobs_{*this, "jobs", "jobs", "jobs started"};
};

}  // namespace fansim::decoupled
