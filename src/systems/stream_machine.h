// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "arch/program.h"
#include "arch/result.h"
#include "arch/stream_config.h"
#include "sim/scheduler.h"
#include "sim/waveform.h"
#include "systems/stream_accelerator.h"

namespace fansim::systems {

struct StreamOptions {
  // At each layer's end, the machine quiescent: look at the outputs in DDR, complete the result.
  std::function<void(const arch::LayerPlan&, const std::uint8_t* ddr, arch::LayerResult&)> on_layer;
  std::function<void(double fraction)> on_progress;
  std::function<bool()> stop_requested;
  bool values = true;
  memory::MakeDdr make_ddr = memory::make_ddr;
  std::unique_ptr<sim::Waveform> waveform;
  std::string waveform_layer;  // records this layer only
};

// The streaming accelerator with its clock: elaborated once, it runs all layers of a program.
class StreamMachine {
 public:
  StreamMachine(const arch::StreamConfig& config, arch::Program program, StreamOptions options);

  void run();
  bool stopped() const { return stopped_; }  // ended early because stop_requested said so
  const std::vector<arch::LayerResult>& layers() const { return results_; }
  const std::vector<sim::Module*>& modules() const { return scheduler_.modules(); }

 private:
  void begin_layer(int index);
  void end_layer(int index);
  bool poll();

  arch::Program program_;
  StreamOptions options_;
  sim::Scheduler scheduler_{"scheduler"};
  sim::ClockDomain& clock_;
  sim::Waveform* waveform_ = nullptr;
  StreamAccelerator accelerator_;

  sim::Edge layer_start_ = 0;
  std::int64_t read_before_ = 0, written_before_ = 0;
  bool stopped_ = false;
  std::vector<arch::LayerResult> results_;
};

}  // namespace fansim::systems
