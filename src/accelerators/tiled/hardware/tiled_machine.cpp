// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/hardware/tiled_machine.h"

namespace fansim::tiled {

TiledMachine::TiledMachine(const Config& config, contract::Program program, platform::MachineOptions options)
    : platform::ClockedMachine(std::move(program), std::move(options), config.clock_mhz),
      config_(config),
      accelerator_("top", config_, program_, options_.values, hooks(), clock_,
                   scheduler_.domain("port", config.port_mhz)) {}

TiledMachine::~TiledMachine() = default;

void TiledMachine::begin(const contract::LayerPlan& plan) {
  TiledBlocks& blocks = accelerator_.blocks;
  blocks.memory.quiesce();
  const LayerJobs& layer = layer_jobs_of(plan);
  blocks.stores.book = layer.codes;
  accelerator_.account.begin_layer(layer.jobs.empty() ? 0 : layer.jobs.front().engine);
  read_before_ = accelerator_.account.bytes_read();
  written_before_ = accelerator_.account.bytes_written();
}

void TiledMachine::end(contract::LayerResult& result) {
  const TiledAccount& account = accelerator_.account;
  const rules::ArrayBuckets buckets = accelerator_.account.end_layer();
  result.buckets.assign(buckets.begin(), buckets.end());
  result.bytes_read = account.bytes_read() - read_before_;
  result.bytes_written = account.bytes_written() - written_before_;
  result.stages = account.stages();
}

std::vector<base::Cycles> TiledMachine::edges() const {
  const rules::ArrayBuckets& buckets = accelerator_.account.buckets();
  return {buckets.begin(), buckets.end()};
}

}  // namespace fansim::tiled
