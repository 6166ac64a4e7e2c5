// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arch/dma.h"
#include "arch/dma_map.h"
#include "axi/transfer.h"
#include "axi/types.h"
#include "sim/module.h"
#include "sim/reg.h"
#include "sim/stream.h"

namespace fansim::axi {

// The registers of an AXI DMA in direct register mode (PG021, "Register Space"), behind two AXI-Lite ports: the
// processor's and that of the writer in the fabric. Both see all registers; in one cycle the processor goes first.
// * DMACR: RS, Reset, IOC_IrqEn; the other bits read their defaults. Reset takes effect when no transfer is running.
// * DMASR: Halted when RS = 0 and nothing runs; Idle when running and the last transfer has completed, 0 before the
//   first; IOC_Irq latched at completion, cleared by writing 1. Interrupt out = IOC_Irq and IOC_IrqEn.
// * A LENGTH write starts the transfer from SA / to DA. It has no effect when zero or when the channel is halted; while
//   a transfer runs PG021 leaves it undefined, here it is a violation. S2MM_LENGTH holds the bytes received.
// * Unknown addresses read 0 and ignore writes.
// Throughput: one access per cycle and port. Latency: one cycle, pop to visible response; the command is pushed, and a
// completion taken in, at the edge of the pop; a completion counts before an access of its edge.
// Stall: an access waits while its response stream is full.
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

  DmaRegisters(const sc_core::sc_module_name& name, const arch::DmaConfig& config);

  bool mm2s_introut() const { return mm2s_introut_.get(); }
  bool s2mm_introut() const { return s2mm_introut_.get(); }

 private:
  struct Channel {
    std::uint32_t control = 0;
    std::uint32_t address = 0;
    std::uint32_t length = 0;
    bool busy = false;
    bool completed = false;
    bool ioc_irq = false;

    std::uint32_t status() const;
    bool interrupt() const { return ioc_irq && (control & arch::dma_map::kCrIocIrqEnable); }
  };

  void step() override;
  void complete(Channel& channel);
  std::uint32_t access(const LiteRequest& request);
  std::uint32_t read(const Channel& channel, std::uint32_t offset) const;
  void write(Channel& channel, sim::StreamOut<TransferCommand>& command, std::uint32_t offset, std::uint32_t value);
  void settle();

  const std::uint32_t length_mask_;
  Channel mm2s_;
  Channel s2mm_;
  bool reset_pending_ = false;

  sim::Reg<bool> mm2s_introut_{*this, "mm2s_introut"};
  sim::Reg<bool> s2mm_introut_{*this, "s2mm_introut"};
  sim::Counter accesses_{*this, "accesses", "accesses", "register reads and writes"};
};

}  // namespace fansim::axi
