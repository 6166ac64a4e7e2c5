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

// The registers of an AXI DMA (PG021, "Register Space") behind two AXI-Lite ports, the processor's and that of the
// writer in the fabric. Both see all registers. If both access them in one cycle, the processor comes first.
// * DMACR has RS, Reset, IOC_IrqEn and Err_IrqEn, and with scatter gather also Cyclic, Dly_IrqEn, IRQThreshold and
//   IRQDelay. Keyhole is not modelled; other bits read their defaults. Reset stops both channels: transfers in flight
//   on the memory side are completed, everything else is dropped, and the registers become as after power-up. Reset
//   reads 1 until then.
// * DMASR has Halted, which is 1 if RS = 0 and nothing runs, and Idle. Idle is 1 if the channel runs and the last
//   transfer, or the chain up to its tail, has completed; it is 0 before the first transfer. IOC_Irq, Dly_Irq and
//   Err_Irq are latched, and writing 1 clears them. An error bit clears RS and keeps it at 0 until a reset.
// * In direct mode, writing LENGTH starts the transfer from SA or to DA. The write has no effect if LENGTH is zero or
//   the channel is halted. PG021 does not define it during a transfer; here it is a violation. S2MM_LENGTH holds the
//   bytes that were received. With scatter gather, writing TAILDESC starts or extends the chain that begins at CURDESC.
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
