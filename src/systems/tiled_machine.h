// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arch/tiled_config.h"
#include "systems/clocked_machine.h"
#include "systems/tiled_accelerator.h"

namespace fansim::systems {

// The tiled accelerator, on the clocks of the fabric and of the memory's port.
class TiledMachine final : public ClockedMachine {
 public:
  TiledMachine(const arch::TiledConfig& config, arch::Program program, MachineOptions options);

 private:
  const Host& host() const override { return accelerator_.blocks.host; }
  const std::uint8_t* ddr() override { return accelerator_.blocks.memory.data(); }
  void begin(const arch::LayerPlan& plan) override;
  void end(arch::LayerResult& result) override;

  const arch::TiledConfig config_;
  TiledAccelerator accelerator_;
  std::int64_t read_before_ = 0, written_before_ = 0;
};

}  // namespace fansim::systems
