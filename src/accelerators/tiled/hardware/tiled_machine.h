// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/tiled/config/config.h"
#include "accelerators/tiled/config/layer_jobs.h"
#include "accelerators/tiled/hardware/tiled_accelerator.h"
#include "platform/clocked_machine.h"

namespace fansim::tiled {

// Runs the tiled accelerator on the clocks of the fabric and of the memory's port.
class TiledMachine final : public platform::ClockedMachine {
 public:
  TiledMachine(const Config& config, contract::Program program, platform::MachineOptions options);
  ~TiledMachine() override;

  TiledBlocks& blocks() { return accelerator_.blocks; }  // to look at, or to break

 private:
  platform::Host& host() override { return accelerator_.blocks.host; }
  memory::Ddr& ddr() override { return accelerator_.blocks.memory.ddr(); }
  void begin(const contract::LayerPlan& plan) override;
  void end(contract::LayerResult& result) override;
  std::vector<base::Cycles> edges() const override;

  const Config config_;
  TiledAccelerator accelerator_;
  std::int64_t read_before_ = 0, written_before_ = 0;
};

}  // namespace fansim::tiled
