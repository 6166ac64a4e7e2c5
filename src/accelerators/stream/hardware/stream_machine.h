// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/stream/config/config.h"
#include "accelerators/stream/hardware/stream_accelerator.h"
#include "platform/clocked_machine.h"

namespace fansim::stream {

// The streaming accelerator.
class StreamMachine final : public platform::ClockedMachine {
 public:
  StreamMachine(const Config& config, contract::Program program, platform::MachineOptions options);
  ~StreamMachine() override;

 private:
  platform::Host& host() override { return accelerator_.blocks.host; }
  memory::Ddr& ddr() override { return *accelerator_.blocks.ddr; }
  std::vector<sim::Module*> core() override;
  void begin(const contract::LayerPlan& plan) override;
  void end(contract::LayerResult& result) override;
  std::vector<base::Cycles> edges() const override;

  StreamAccelerator accelerator_;
  std::int64_t read_before_ = 0, written_before_ = 0;
};

}  // namespace fansim::stream
