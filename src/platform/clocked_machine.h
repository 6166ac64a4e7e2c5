// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "contract/faults.h"
#include "contract/frames.h"
#include "contract/program.h"
#include "contract/result.h"
#include "memory/ddr.h"
#include "platform/host.h"
#include "platform/injector.h"
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
  std::vector<std::string> buckets;  // names of the account's buckets, for recordings
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

  LayerHooks hooks();

  // These differ between accelerators. begin() and end() are called at a layer's first and last edge.
  virtual Host& host() = 0;
  virtual memory::Ddr& ddr() = 0;
  virtual void begin(const contract::LayerPlan& plan) = 0;
  virtual void end(contract::LayerResult& result) = 0;
  // Returns the blocks that a reset of the core resets, in their order; empty if it has no reset.
  virtual std::vector<sim::Module*> core() { return {}; }
  // Returns the edges in each bucket so far, for buckets that are counted while they pass. An edge belongs to the first
  // bucket to which it adds.
  virtual std::vector<base::Cycles> edges() const = 0;
  // Returns the bucket of a layer's edge that no bucket counted.
  virtual std::size_t uncounted() const { return options_.buckets.size() - 1; }

  contract::Program program_;
  MachineOptions options_;
  sim::Scheduler scheduler_{"scheduler"};
  sim::ClockDomain& clock_;

 private:
  std::vector<std::int64_t> counts() const;
  std::vector<contract::BlockCount> counted() const;
  std::string layer_name() const;
  void begin_layer(int index);
  void end_layer(int index);
  bool poll();
  void record();
  void follow();
  std::vector<sim::Watched> watched(const std::vector<base::Cycles>& before) const;
  std::size_t bucket(const std::vector<base::Cycles>& before) const;

  std::vector<base::Cycles> edges_before_, timeline_before_;  // by bucket, before an edge that is recorded
  std::size_t layer_ = 0;                                     // the layer that runs; past the last layer if none does
  sim::Edge layer_start_ = 0;
  std::vector<std::int64_t> counts_before_;  // every block's counters at the layer's begin
  bool stopped_ = false;
  contract::FaultLog fault_log_;
  std::unique_ptr<Injector> injector_;
  std::vector<contract::LayerResult> results_;
  std::vector<contract::Span> spans_;
};

}  // namespace fansim::platform
