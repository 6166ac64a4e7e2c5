// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/hardware/stream_machine.h"

namespace fansim::stream {

StreamMachine::StreamMachine(const Config& config, contract::Program program, platform::MachineOptions options)
    : platform::ClockedMachine(std::move(program), std::move(options), config.clock_mhz),
      accelerator_("top", clock_, config, program_, options_.make_ddr, options_.values, hooks()) {}

StreamMachine::~StreamMachine() = default;

// All but the DDR; the DMA has a reset of its own. Wires would keep what they carry.
std::vector<sim::Module*> StreamMachine::core() {
  std::vector<sim::Module*> core;
  for (sc_core::sc_object* object : accelerator_.get_child_objects())
    if (auto* block = dynamic_cast<sim::Module*>(object); block && block != &ddr()) core.push_back(block);
  return accelerator_.has_pins() ? std::vector<sim::Module*>() : core;
}

void StreamMachine::begin(const contract::LayerPlan&) {
  accelerator_.blocks.ddr->quiesce();
  accelerator_.account.begin_layer();
  read_before_ = accelerator_.blocks.dma.mm2s.bytes();
  written_before_ = accelerator_.blocks.dma.s2mm.bytes();
}

void StreamMachine::end(contract::LayerResult& result) {
  const rules::ArrayBuckets buckets = accelerator_.account.end_layer();
  result.buckets.assign(buckets.begin(), buckets.end());
  result.bytes_read = accelerator_.blocks.dma.mm2s.bytes() - read_before_;
  result.bytes_written = accelerator_.blocks.dma.s2mm.bytes() - written_before_;
}

std::vector<base::Cycles> StreamMachine::edges() const {
  const rules::ArrayBuckets& buckets = accelerator_.account.buckets();
  return {buckets.begin(), buckets.end()};
}

}  // namespace fansim::stream
