// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "arch/program.h"
#include "arch/result.h"
#include "memory/ddr.h"
#include "sim/scheduler.h"
#include "sim/waveform.h"
#include "systems/host.h"

namespace fansim::systems {

struct MachineOptions {
  // At each layer's end, the machine quiescent: look at the outputs in DDR, complete the result.
  std::function<void(const arch::LayerPlan&, const std::uint8_t* ddr, arch::LayerResult&)> on_layer;
  std::function<void(double fraction)> on_progress;
  std::function<bool()> stop_requested;
  bool values = true;
  memory::MakeDdr make_ddr = memory::make_ddr;
  std::unique_ptr<sim::Waveform> waveform;
  std::string waveform_layer;  // records this layer only
};

// A complete accelerator with its clocks: elaborated once, it runs all layers of a program.
class ClockedMachine {
 public:
  virtual ~ClockedMachine() = default;

  void run() { scheduler_.run(); }
  bool stopped() const { return stopped_; }  // ended early because stop_requested said so
  const std::vector<arch::LayerResult>& layers() const { return results_; }
  const std::vector<sim::Module*>& modules() const { return scheduler_.modules(); }

 protected:
  ClockedMachine(arch::Program program, MachineOptions options, base::Rational clock_mhz);

  LayerHooks hooks();
  std::function<void()> finished() {
    return [this] { scheduler_.finish(); };
  }

  // What differs from accelerator to accelerator, at a layer's first and last edge.
  virtual const Host& host() const = 0;
  virtual const std::uint8_t* ddr() = 0;
  virtual void begin(const arch::LayerPlan& plan) = 0;
  virtual void end(arch::LayerResult& result) = 0;

  arch::Program program_;
  MachineOptions options_;
  sim::Scheduler scheduler_{"scheduler"};
  sim::ClockDomain& clock_;

 private:
  void begin_layer(int index);
  void end_layer(int index);
  bool poll();

  sim::Waveform* waveform_ = nullptr;
  sim::Edge layer_start_ = 0;
  bool stopped_ = false;
  std::vector<arch::LayerResult> results_;
};

}  // namespace fansim::systems
