// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <memory>
#include <vector>

#include "axi/types.h"
#include "contract/job_registers.h"
#include "sim/module.h"
#include "sim/reg.h"
#include "sim/stream.h"

namespace fansim::axi {

// Holds the registers of a machine that does jobs (contract::JobRegisters), behind AXI-Lite. A write to the last one
// starts the job that they describe; the job before must have ended.
// Throughput: one access per cycle.
// Latency:    an access that is popped at t is answered at t, and a job is started at t.
// Stall:      an access waits while its response cannot leave.
class JobRegisters : public sim::Module {
 public:
  // Each counts the jobs that one block has ended.
  using Ended = std::vector<const sim::Reg<std::int64_t>*>;

  sim::StreamIn<LiteRequest> request{"request"};
  sim::StreamOut<LiteResponse> response{"response"};

  // Returns what raises the interrupt: a job has ended once all of them have counted it.
  const Ended& ended() const { return ended_; }
  std::int64_t jobs_done() const;

 protected:
  JobRegisters(const sc_core::sc_module_name& name, contract::JobRegisters registers, Ended ended)
      : Module(name), registers_(std::move(registers)), ended_(std::move(ended)) {}

  void step() override;
  // Takes an access, if there is one that can be answered.
  void take_access();
  // A job is under way, as of the edge before.
  bool busy() const { return started_ > jobs_done(); }
  // Starts the job that registers() describe.
  virtual void start() = 0;
  const contract::JobRegisters& registers() const { return registers_; }

 private:
  contract::JobRegisters registers_;
  const Ended ended_;
  std::int64_t started_ = 0;

  sim::Counter accesses_{*this, "accesses", "accesses", "register reads and writes"};
};

// Starts a job in all blocks of the machine at once, each through a stream of its own.
template <class Start>
class JobStarter : public JobRegisters {
 public:
  // Connects the next block that a job is started in. The stream is called start0, start1, ...
  template <class Block>
  void starts(Block& block) {
    const std::size_t i = streams_.size();
    streams_.push_back(std::make_unique<sim::Stream<Start>>(fmt::format("start{}", i).c_str()));
    (*ports_.at(i))(*streams_[i]);
    block.start(*streams_[i]);
  }

 protected:
  JobStarter(const sc_core::sc_module_name& name, contract::JobRegisters registers, Ended ended, std::size_t blocks)
      : JobRegisters(name, std::move(registers), std::move(ended)) {
    for (std::size_t i = 0; i < blocks; ++i)
      ports_.push_back(std::make_unique<sim::StreamOut<Start>>(fmt::format("start{}", i).c_str()));
  }

  void give(const Start& start) {
    for (auto& port : ports_) port->push(start);
  }

 private:
  std::vector<std::unique_ptr<sim::StreamOut<Start>>> ports_;
  std::vector<std::unique_ptr<sim::Stream<Start>>> streams_;
};

}  // namespace fansim::axi
