// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "contract/faults.h"
#include "contract/frames.h"
#include "contract/program.h"
#include "contract/result.h"
#include "memory/ddr.h"
#include "platform/host.h"
#include "platform/injector.h"
#include "platform/shell.h"
#include "sim/scheduler.h"
#include "sim/timeline.h"
#include "sim/waveform.h"

namespace fansim::platform {

struct MachineOptions {
  // Called at each layer's end, while the machine is quiescent: may look at the outputs in DDR and completes the
  // result.
  std::function<void(const contract::LayerPlan&, const std::uint8_t* ddr, contract::LayerResult&)> on_layer;
  std::function<void(double fraction)> on_progress;
  std::function<bool()> stop_requested;
  bool values = true;
  memory::MakeDdr make_ddr = memory::make_ddr;
  std::unique_ptr<sim::Waveform> waveform;
  std::string waveform_bucket;  // the waveform begins with the first edge of this bucket
  sim::Edge waveform_edges = 0;
  sim::Timeline* timeline = nullptr;
  bool counters = false;  // adds what every block counted to the results
  std::vector<contract::Fault> faults;
  std::uint64_t seed = 1;  // determines what faults leave open
};

// A complete accelerator with its clocks. It is elaborated once and runs all layers of a program.
class ClockedMachine {
 public:
  virtual ~ClockedMachine() = default;

  // Runs the program. Throws UserError at a fault for which the machine has no place.
  void run();
  bool stopped() const { return stopped_; }  // the run ended early because stop_requested said so
  const std::vector<contract::LayerResult>& layers() const { return results_; }
  // Returns when the layers ran, in edges.
  const std::vector<contract::Span>& spans() const { return spans_; }
  const std::vector<sim::Module*>& modules() const { return scheduler_.modules(); }

  // Returns the injector, through which faults are added one by one before the run. If it is never called and
  // options.faults is empty, no block looks for faults.
  Injector& injector();
  const contract::FaultLog& fault_log() const { return fault_log_; }
  // at() calls `action` once, before that edge of the first clock. run_on() is for such an action, in a process that
  // was forked there. It runs the rest of the run with this fault, and without the other actions of at(). It throws
  // Hang if the run is not over at the edge `end`.
  void at(sim::Edge edge, std::function<void()> action) { scheduler_.at(edge, std::move(action)); }
  void run_on(const contract::Fault& fault, sim::Edge end);
  sim::Edge now() const { return clock_.edge; }

 protected:
  ClockedMachine(contract::Program program, MachineOptions options, base::Rational clock_mhz);

  Shell::Frame& frame() { return frame_; }
  // Must be called before the run.
  void run_in(Shell& shell) { shell_ = &shell; }

 private:
  LayerHooks hooks();
  contract::LayerResult counted() const;
  std::vector<std::int64_t> counts() const;
  std::vector<contract::BlockCount> block_counts() const;
  std::string layer_name() const;
  void begin_layer(int index);
  void end_layer(int index);
  bool poll();
  void record();
  void follow();
  std::vector<sim::Watched> watched(const std::vector<base::Cycles>& before) const;
  std::size_t bucket(const std::vector<base::Cycles>& before) const;

  contract::Program program_;
  MachineOptions options_;
  sim::Scheduler scheduler_{"scheduler"};
  sim::ClockDomain& clock_;
  Shell::Frame frame_;
  Shell* shell_ = nullptr;

  std::vector<base::Cycles> edges_before_, timeline_before_;  // by bucket, before an edge that is recorded
  std::size_t layer_ = 0;                                     // the layer that runs; past the last layer if none does
  sim::Edge layer_start_ = 0;
  contract::LayerResult before_;             // what was counted at the layer's begin
  std::vector<std::int64_t> counts_before_;  // every block's counters at the layer's begin
  bool stopped_ = false;
  contract::FaultLog fault_log_;
  std::unique_ptr<Injector> injector_;
  std::vector<contract::LayerResult> results_;
  std::vector<contract::Span> spans_;
};

// A machine whose blocks are those of Top, a Shell, which is made from a configuration and a frame.
template <class Top, class Config>
class MachineOf final : public ClockedMachine {
 public:
  MachineOf(const Config& config, contract::Program program, MachineOptions options)
      : ClockedMachine(std::move(program), std::move(options), config.clock_mhz),
        config_(config),
        top("top", config_, frame()) {
    run_in(top);
  }

 private:
  const Config config_;

 public:
  Top top;
};

}  // namespace fansim::platform
