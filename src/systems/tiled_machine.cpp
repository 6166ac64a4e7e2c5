// SPDX-License-Identifier: Apache-2.0
#include "systems/tiled_machine.h"

namespace fansim::systems {

TiledMachine::TiledMachine(const arch::TiledConfig& config, arch::Program program, MachineOptions options)
    : ClockedMachine(std::move(program), std::move(options), config.clock_mhz),
      config_(config),
      accelerator_("top", config_, program_, options_.values, hooks(), finished(), clock_,
                   scheduler_.domain("port", config.port_mhz)) {}

void TiledMachine::begin(const arch::LayerPlan& plan) {
  TiledBlocks& blocks = accelerator_.blocks;
  blocks.memory.quiesce();
  blocks.stores.book = plan.codes;
  accelerator_.account.begin_layer(plan.jobs.front().engine);
  read_before_ = accelerator_.account.bytes_read();
  written_before_ = accelerator_.account.bytes_written();
}

void TiledMachine::end(arch::LayerResult& result) {
  const TiledAccount& account = accelerator_.account;
  result.buckets = accelerator_.account.end_layer();
  result.bytes_read = account.bytes_read() - read_before_;
  result.bytes_written = account.bytes_written() - written_before_;
  result.stages = account.stages();
}

}  // namespace fansim::systems
