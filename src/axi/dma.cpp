// SPDX-License-Identifier: Apache-2.0
#include "axi/dma.h"

namespace fansim::axi {

Dma::Dma(const sc_core::sc_module_name& name, const contract::DmaConfig& config, const contract::AxiConfig& axi)
    : sc_module(name), registers("registers", config), mm2s("mm2s", config, axi), s2mm("s2mm", config, axi) {
  registers.mm2s_command(mm2s_command_);
  registers.mm2s_done(mm2s_done_);
  registers.s2mm_command(s2mm_command_);
  registers.s2mm_done(s2mm_done_);
  mm2s.halted_by(registers.halt());
  s2mm.halted_by(registers.halt());
  if (config.scatter_gather()) {
    descriptors = std::make_unique<DescriptorEngine>("descriptors", config, registers.halt(), registers.mm2s_run(),
                                                     registers.s2mm_run());
    connect_descriptors();
  }
  mm2s.command(config.scatter_gather() ? mm2s_transfer_ : mm2s_command_);
  mm2s.done(config.scatter_gather() ? mm2s_transferred_ : mm2s_done_);
  s2mm.command(config.scatter_gather() ? s2mm_transfer_ : s2mm_command_);
  s2mm.done(config.scatter_gather() ? s2mm_transferred_ : s2mm_done_);
}

Dma::~Dma() = default;

void Dma::connect_descriptors() {
  registers.chains->mm2s_start(mm2s_start_);
  registers.chains->mm2s_event(mm2s_event_);
  registers.chains->s2mm_start(s2mm_start_);
  registers.chains->s2mm_event(s2mm_event_);
  descriptors->mm2s.start(mm2s_start_);
  descriptors->mm2s.event(mm2s_event_);
  descriptors->mm2s.command(mm2s_transfer_);
  descriptors->mm2s.done(mm2s_transferred_);
  descriptors->s2mm.start(s2mm_start_);
  descriptors->s2mm.event(s2mm_event_);
  descriptors->s2mm.command(s2mm_transfer_);
  descriptors->s2mm.done(s2mm_transferred_);
}

}  // namespace fansim::axi
