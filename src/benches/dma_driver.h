// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "axi/dma_registers.h"
#include "axi/types.h"
#include "base/error.h"
#include "sim/module.h"
#include "sim/stream.h"

namespace fansim::benches {

// Describes one step of a DMA's stimulus. It begins at `cycle` or when the step before it has finished, whichever is
// later.
struct DmaOp {
  enum class Kind { write, read, poke, peek, packet, wait_mm2s, wait_s2mm } kind = Kind::write;
  sim::Edge cycle = 0;
  std::uint64_t address = 0;  // of a register, or in memory
  std::uint32_t value = 0;    // for a packet, its bytes
  base::Location where{};
};

// Records an event at the DMA's ports, or an action of the driver. `cycle` is the edge at which it was pushed or took
// effect.
struct DmaEvent {
  sim::Edge cycle;
  std::string what;
  std::uint64_t address;
  std::uint64_t value;
};

// Plays register accesses, memory words and packets for the stream into S2MM. Memory words are written and read at
// once, outside the clocked model.
// Throughput: one step at a time; a register access ends with its response, a packet is handed over at once.
// Latency:    a request pushed at t takes effect at t + 1 and is answered at t + 2.
// Stall:      waits for responses and interrupts.
class DmaDriver final : public sim::Module {
 public:
  sim::StreamOut<axi::LiteRequest> request{"request"};
  sim::StreamIn<axi::LiteResponse> response{"response"};

  DmaDriver(const sc_core::sc_module_name& name, std::vector<DmaOp> ops, const axi::DmaRegisters& registers,
            std::vector<std::uint8_t>& memory, std::vector<DmaEvent>& events);

  // Holds the lengths in bytes of the packets that the source has not yet taken.
  std::deque<std::uint32_t> packets;
  // Called when the stimulus has finished and the DMA has been quiet for a while.
  std::function<void()> finished;

  std::string waiting_for() const override;
  // Throws UserError if the stimulus waits for something that can no longer come, because the DMA is idle.
  void refuse_vain_wait() const;

 private:
  void step() override;
  bool act(const DmaOp& op);
  bool access(const DmaOp& op, bool write);
  bool interrupted(const DmaOp& op) const;
  void log(const char* what, std::uint64_t address, std::uint64_t value, sim::Edge edge);
  void wind_up();

  static constexpr sim::Edge kQuiet = 16;  // edges in which the last beats leave the streams

  const std::vector<DmaOp> ops_;
  const axi::DmaRegisters& registers_;
  std::vector<std::uint8_t>& memory_;
  std::vector<DmaEvent>& events_;
  std::size_t at_ = 0;
  bool waiting_ = false;
  sim::Edge quiet_ = 0;
};

}  // namespace fansim::benches
