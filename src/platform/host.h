// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "axi/types.h"
#include "contract/host.h"
#include "contract/program.h"
#include "platform/interrupt_line.h"
#include "sim/module.h"
#include "sim/reg.h"
#include "sim/stream.h"

namespace fansim::platform {

// Interrupt lines. Each is a list of registers that count events since the start, and an interrupt comes once all of
// them have counted one more. An empty list is a line that the machine does not have.
struct Interrupts {
  using Line = std::vector<const sim::Reg<std::int64_t>*>;
  Line layers;  // also for the ends of jobs, on a machine whose host waits for each of them alike
  Line jobs = {};
};

// Called at a layer's first and last edge, while the machine is quiescent, and at the program's end.
struct LayerHooks {
  std::function<void(int layer)> begin;
  std::function<void(int layer)> end;
  std::function<void()> finished;
  // saw() gets what the driver saw and did about it, gave_up() why it gave up.
  std::function<void(const std::string& what)> saw;
  std::function<void(const std::string& why)> gave_up;
  // Resets the core before the next edge, through a register of the processor's own.
  std::function<void()> reset_core;
};

// The processing system. It runs the program's steps one after another, each at its configured cost in cycles, and
// waits for one named event at a time.
// Throughput: one step at a time.
// Latency:    a write costs register_write before its request leaves, then waits for the response; a poll likewise with
//             register_read per read; a pending interrupt costs `interrupt` before the next step.
// Stall:      waits for responses and interrupts.
// A wait that takes longer than `timeout`, and a DMA channel that has stopped when it is polled, are errors: the driver
// reads the status of both channels, each read at its cost, then gives up or tries again. For that it resets the DMA
// and, when that is done, the core, does what the program does ahead of its first layer and goes through the layer's
// steps from the first.
class Host final : public sim::Module {
 public:
  sim::StreamOut<axi::LiteRequest> core{"core"};
  sim::StreamIn<axi::LiteResponse> core_response{"core_response"};
  sim::StreamOut<axi::LiteRequest> dma{"dma"};
  sim::StreamIn<axi::LiteResponse> dma_response{"dma_response"};

  Host(const sc_core::sc_module_name& name, const contract::HostConfig& config,
       const std::vector<contract::HostOp>& ops, Interrupts interrupts, LayerHooks hooks);

  // State of the host for the cycle accounting.
  bool working() const { return busy() || waiting_response_; }
  bool tries_again() const { return config_.retry > 0; }
  // From now on waits may never end, so the driver checks for timeouts.
  void expect_faults() override { expects_faults_ = true; }
  bool preparing_dma() const { return preparing_dma_; }
  bool waiting_for_output() const;
  // The lines for which its program waits, or null if it does not wait for them.
  InterruptLine* job_interrupt() { return has(Kind::wait_job) ? &jobs_ : nullptr; }
  InterruptLine* layer_interrupt() { return has(Kind::wait_output) ? &layers_ : nullptr; }
  double fraction_done() const { return static_cast<double>(at_) / static_cast<double>(ops_.size()); }

  std::string waiting_for() const override;

 private:
  using Kind = contract::HostOp::Kind;

  bool has(Kind kind) const;
  void step() override;
  void go_on();
  bool busy() const { return now() < busy_until_; }
  // Spends cycles. Returns true if there are none to spend.
  bool takes(sim::Edge cycles);
  bool begin(const contract::HostOp& op);
  bool act(const contract::HostOp& op);
  bool send(const contract::HostOp& op);
  bool receive(const contract::HostOp& op);
  bool take_interrupt(const contract::HostOp& op);
  bool watches() const { return expects_faults_ && config_.timeout > 0; }
  bool timed_out() const { return watches() && now() - begun_at_ > config_.timeout; }
  void fail(const std::string& what);
  void recover();
  bool access(bool write, std::uint32_t address, std::uint32_t value = 0);
  void await_reset();
  void decide();
  void begin_again();
  static const char* word_of(const contract::HostOp& wait);
  static std::vector<std::string> step_words();

  // The watchdog would never notice endless polling, because polling moves streams. The longest transfer, 2^26 bytes,
  // takes less than this.
  static constexpr sim::Edge kLongestPoll = 20'000'000;

  const contract::HostConfig config_;
  const std::vector<contract::HostOp>& ops_;
  InterruptLine jobs_, layers_;
  const LayerHooks hooks_;
  const bool has_dma_;

  std::size_t at_ = 0;
  bool begun_ = false;
  sim::Edge begun_at_ = 0;
  sim::Edge busy_until_ = 0;   // until then the host spends the step's cost
  sim::Edge thread_ends_ = 0;  // from here on the other processor is idle
  bool waiting_response_ = false;
  bool preparing_dma_ = false;
  bool in_handler_ = false;

  // Faults, and what follows an error.
  bool expects_faults_ = false;
  enum class Recovery { none, read_mm2s, read_s2mm, reset_dma, await_dma, reset_core, begin_again };
  Recovery recovery_ = Recovery::none;
  std::string error_;
  bool access_begun_ = false;
  std::uint32_t answer_ = 0;   // answer to the last access
  std::size_t layer_at_ = 0;   // the step that began the layer
  std::size_t resume_at_ = 0;  // the step to go to from the first begin_layer; 0: go on
  bool in_layer_ = false;
  int attempts_ = 0;  // attempts for the layer after the first one

  sim::Word step_;
  sim::Counter software_{*this, "software", "cycles", "cycles of software steps"};
  sim::Counter register_accesses_{*this, "register_accesses", "accesses", "register reads and writes"};
  sim::Counter interrupts_taken_{*this, "interrupts", "interrupts", "interrupts taken"};
};

}  // namespace fansim::platform
