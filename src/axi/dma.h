// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "axi/descriptor_engine.h"
#include "axi/dma_registers.h"
#include "axi/mm2s.h"
#include "axi/s2mm.h"

namespace fansim::axi {

// The AXI DMA: the registers and the two engines with their wiring and, in scatter gather mode, the descriptor engine
// between them. Its ports are those of its parts: registers.{host, host_response, pl, pl_response}, mm2s.{ar, r,
// m_axis}, s2mm.{s_axis, aw, w, b}, descriptors->{ar, r, aw, w, b}.
class Dma final : public sc_core::sc_module {
 public:
  Dma(const sc_core::sc_module_name& name, const contract::DmaConfig& config, const contract::AxiConfig& axi);
  ~Dma() override;

  DmaRegisters registers;
  Mm2s mm2s;
  S2mm s2mm;
  std::unique_ptr<DescriptorEngine> descriptors;  // null in direct mode

 private:
  void connect_descriptors();

  sim::Stream<TransferCommand> mm2s_command_{"mm2s_command"}, s2mm_command_{"s2mm_command"};
  sim::Stream<TransferDone> mm2s_done_{"mm2s_done"}, s2mm_done_{"s2mm_done"};
  // These lie between registers and descriptor engine. They are idle in direct mode, as those above are in scatter
  // gather mode.
  sim::Stream<DescriptorStart> mm2s_start_{"mm2s_start"}, s2mm_start_{"s2mm_start"};
  sim::Stream<DescriptorEvent> mm2s_event_{"mm2s_event"}, s2mm_event_{"s2mm_event"};
  // These lie between descriptor engine and movers.
  sim::Stream<TransferCommand> mm2s_transfer_{"mm2s_transfer"}, s2mm_transfer_{"s2mm_transfer"};
  sim::Stream<TransferDone> mm2s_transferred_{"mm2s_transferred"}, s2mm_transferred_{"s2mm_transferred"};
};

}  // namespace fansim::axi
