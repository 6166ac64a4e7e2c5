// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arch/stream_config.h"
#include "systems/clocked_machine.h"
#include "systems/stream_accelerator.h"

namespace fansim::systems {

// The streaming accelerator.
class StreamMachine final : public ClockedMachine {
 public:
  StreamMachine(const arch::StreamConfig& config, arch::Program program, MachineOptions options);

 private:
  const Host& host() const override { return accelerator_.blocks.host; }
  const std::uint8_t* ddr() override { return accelerator_.blocks.ddr->data(); }
  void begin(const arch::LayerPlan& plan) override;
  void end(arch::LayerResult& result) override;

  StreamAccelerator accelerator_;
  std::int64_t read_before_ = 0, written_before_ = 0;
};

}  // namespace fansim::systems
