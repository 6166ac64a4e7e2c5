// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "axi/types.h"
#include "contract/host.h"
#include "contract/program.h"
#include "sim/module.h"
#include "sim/reg.h"
#include "sim/stream.h"

namespace fansim::platform {

// Interrupt lines as the host sees them: events counted since the start. One is pending while the count exceeds what
// the host has taken.
struct Interrupts {
  std::function<std::int64_t()> jobs_done;
  std::function<std::int64_t()> layers_done;
};

// Called at a layer's first and last edge, while the machine is quiescent, and at the program's end.
struct LayerHooks {
  std::function<void(int layer)> begin;
  std::function<void(int layer)> end;
  std::function<void()> finished;
};

// The processing system: runs the program's steps one after another, each at its configured cost in cycles, and waits
// for one named event at a time.
// Throughput: one step at a time.
// Latency:    a write costs register_write before its request leaves, then waits for the response; a poll likewise with
//             register_read per read; a pending interrupt costs `interrupt` before the next step.
// Stall:      waits for responses and interrupts.
class Host final : public sim::Module {
 public:
  sim::StreamOut<axi::LiteRequest> core{"core"};
  sim::StreamIn<axi::LiteResponse> core_response{"core_response"};
  sim::StreamOut<axi::LiteRequest> dma{"dma"};
  sim::StreamIn<axi::LiteResponse> dma_response{"dma_response"};

  Host(const sc_core::sc_module_name& name, const contract::HostConfig& config,
       const std::vector<contract::HostOp>& ops, Interrupts interrupts, LayerHooks hooks);

  // What the host is at, for cycle accounting.
  bool working() const { return wait_ > 0 || waiting_response_; }
  bool preparing_dma() const { return preparing_dma_; }
  bool waiting_for_output() const;
  double fraction_done() const { return static_cast<double>(at_) / static_cast<double>(ops_.size()); }

  std::string waiting_for() const override;

 private:
  using Kind = contract::HostOp::Kind;

  void step() override;
  bool begin(const contract::HostOp& op);
  bool act(const contract::HostOp& op);
  bool send(const contract::HostOp& op);
  bool receive(const contract::HostOp& op);
  bool take_interrupt(const contract::HostOp& op);
  static std::vector<std::string> step_words();

  // Polling moves streams, so the watchdog would never notice it; the longest transfer, 2^26 bytes, takes less.
  static constexpr sim::Edge kLongestPoll = 20'000'000;

  const contract::HostConfig config_;
  const std::vector<contract::HostOp>& ops_;
  const Interrupts interrupts_;
  const LayerHooks hooks_;

  std::size_t at_ = 0;
  bool begun_ = false;
  sim::Edge begun_at_ = 0;
  int wait_ = 0;               // cycles of the step's cost still to go
  sim::Edge thread_ends_ = 0;  // the other processor is idle from here on
  bool waiting_response_ = false;
  bool preparing_dma_ = false;
  bool in_handler_ = false;
  std::int64_t jobs_taken_ = 0;
  std::int64_t layers_taken_ = 0;

  sim::Word step_;
  sim::Counter software_{*this, "software", "cycles", "cycles of software steps"};
  sim::Counter register_accesses_{*this, "register_accesses", "accesses", "register reads and writes"};
  sim::Counter interrupts_taken_{*this, "interrupts", "interrupts", "interrupts taken"};
};

}  // namespace fansim::platform
