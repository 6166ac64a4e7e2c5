// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "axi/dma_registers.h"
#include "axi/mm2s.h"
#include "axi/s2mm.h"

namespace fansim::axi {

// AXI DMA in direct register mode: the registers and the two engines, wired. The ports are those of its parts:
// registers.{host, host_response, pl, pl_response}, mm2s.{ar, r, m_axis}, s2mm.{s_axis, aw, w, b}.
class Dma final : public sc_core::sc_module {
 public:
  Dma(const sc_core::sc_module_name& name, const arch::DmaConfig& config, const arch::AxiConfig& axi);

  DmaRegisters registers;
  Mm2s mm2s;
  S2mm s2mm;

 private:
  sim::Stream<TransferCommand> mm2s_command_{"mm2s_command"};
  sim::Stream<TransferDone> mm2s_done_{"mm2s_done"};
  sim::Stream<TransferCommand> s2mm_command_{"s2mm_command"};
  sim::Stream<TransferDone> s2mm_done_{"s2mm_done"};
};

}  // namespace fansim::axi
