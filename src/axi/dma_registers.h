// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "axi/dma_channel.h"
#include "axi/transfer.h"
#include "axi/types.h"
#include "sim/module.h"
#include "sim/reg.h"
#include "sim/stream.h"

namespace fansim::axi {

// The registers of an AXI DMA (PG021, "Register Space"), behind two AXI-Lite ports: the processor's and that of the
// writer in the fabric. Both see all registers; in one cycle the processor goes first.
// * DMACR: RS, Reset, IOC_IrqEn, Err_IrqEn; with scatter gather Cyclic, Dly_IrqEn, IRQThreshold, IRQDelay too. Keyhole
//   is not modelled; other bits read their defaults. Reset stops both channels: what is in flight on the memory side is
//   completed, everything else is dropped, and the registers are as after power-up. It reads 1 until then.
// * DMASR: Halted when RS = 0 and nothing runs; Idle when running and the last transfer, or the chain up to its tail,
//   has completed, 0 before the first. IOC_Irq, Dly_Irq, Err_Irq are latched and cleared by writing 1. An error bit
//   clears RS and stands, keeping RS at 0, until a reset.
// * Direct mode: a LENGTH write starts the transfer from SA / to DA. It has no effect when zero or when the channel is
//   halted; while a transfer runs PG021 leaves it undefined, here it is a violation. S2MM_LENGTH holds the bytes
//   received. Scatter gather: a TAILDESC write starts or extends the chain that begins at CURDESC.
// * Unknown addresses, and the registers of the mode that is not built in, read 0 and ignore writes.
// Throughput: one access per cycle and port.
// Latency:    one cycle from the pop to the visible response; a command is pushed, and a completion taken in,
//             at the edge of the pop; a completion counts before an access of its edge.
// Stall:      an access waits while its response stream, or the stream of descriptor starts, is full.
class DmaRegisters final : public sim::Module {
 public:
  sim::StreamIn<LiteRequest> host{"host"};
  sim::StreamOut<LiteResponse> host_response{"host_response"};
  sim::StreamIn<LiteRequest> pl{"pl"};
  sim::StreamOut<LiteResponse> pl_response{"pl_response"};
  sim::StreamOut<TransferCommand> mm2s_command{"mm2s_command"};
  sim::StreamIn<TransferDone> mm2s_done{"mm2s_done"};
  sim::StreamOut<TransferCommand> s2mm_command{"s2mm_command"};
  sim::StreamIn<TransferDone> s2mm_done{"s2mm_done"};
  // Streams to and from the descriptor engine; null in direct mode.
  struct Chains {
    sim::StreamOut<DescriptorStart> mm2s_start{"mm2s_start"};
    sim::StreamIn<DescriptorEvent> mm2s_event{"mm2s_event"};
    sim::StreamOut<DescriptorStart> s2mm_start{"s2mm_start"};
    sim::StreamIn<DescriptorEvent> s2mm_event{"s2mm_event"};
  };
  std::unique_ptr<Chains> chains;

  DmaRegisters(const sc_core::sc_module_name& name, const contract::DmaConfig& config);
  ~DmaRegisters() override;

  // Clears a channel's run bit, as a fault does. To be called between edges.
  void stop(bool is_s2mm);

  // Returns whether something runs, a delay timer runs, or a reset waits.
  bool busy() const { return mm2s_.busy() || s2mm_.busy() || mm2s_.timing() || s2mm_.timing() || halt_.next(); }

  bool mm2s_introut() const { return mm2s_introut_.get(); }
  bool s2mm_introut() const { return s2mm_introut_.get(); }

  // Tells the engines to halt; a reset waits for them.
  const sim::Reg<bool>& halt() const { return halt_; }
  // Gives the descriptor engine RS of each channel.
  const sim::Reg<bool>& mm2s_run() const { return mm2s_run_; }
  const sim::Reg<bool>& s2mm_run() const { return s2mm_run_; }

 private:
  void step() override;
  bool take_completions();
  bool take_accesses();
  bool can_start() const;
  bool quiet() const;
  std::uint32_t access(const LiteRequest& request);
  void act(const DmaChannel::Action& action, bool is_s2mm);
  void settle();

  DmaChannel mm2s_;
  DmaChannel s2mm_;

  sim::Reg<bool> mm2s_introut_{*this, "mm2s_introut"};
  sim::Reg<bool> s2mm_introut_{*this, "s2mm_introut"};
  sim::Reg<bool> mm2s_run_{*this, "mm2s_run"};
  sim::Reg<bool> s2mm_run_{*this, "s2mm_run"};
  sim::Reg<bool> halt_{*this, "halt"};
  sim::Counter accesses_{*this, "accesses", "accesses", "register reads and writes"};
};

}  // namespace fansim::axi
