// SPDX-License-Identifier: Apache-2.0
#include "axi/dma.h"

namespace fansim::axi {

Dma::Dma(const sc_core::sc_module_name& name, const arch::DmaConfig& config, const arch::AxiConfig& axi)
    : sc_module(name), registers("registers", config), mm2s("mm2s", config, axi), s2mm("s2mm", config, axi) {
  registers.mm2s_command(mm2s_command_);
  mm2s.command(mm2s_command_);
  mm2s.done(mm2s_done_);
  registers.mm2s_done(mm2s_done_);
  registers.s2mm_command(s2mm_command_);
  s2mm.command(s2mm_command_);
  s2mm.done(s2mm_done_);
  registers.s2mm_done(s2mm_done_);
}

}  // namespace fansim::axi
