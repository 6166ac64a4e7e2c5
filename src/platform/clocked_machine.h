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
  // At each layer's end, the machine quiescent: look at the outputs in DDR, complete the result.
  std::function<void(const contract::LayerPlan&, const std::uint8_t* ddr, contract::LayerResult&)> on_layer;
  std::function<void(double fraction)> on_progress;
  std::function<bool()> stop_requested;
  bool values = true;
  memory::MakeDdr make_ddr = memory::make_ddr;
  std::vector<std::string> buckets;  // of the account, for what is recorded
  std::unique_ptr<sim::Waveform> waveform;
  std::string waveform_bucket;  // it begins with the first edge of this bucket
  sim::Edge waveform_edges = 0;
  sim::Timeline* timeline = nullptr;
  bool counters = false;  // what every block counted goes into the results
  std::vector<contract::Fault> faults;
  std::uint64_t seed = 1;  // of what faults leave open
};

// A complete accelerator with its clocks: elaborated once, it runs all layers of a program.
class ClockedMachine {
 public:
  virtual ~ClockedMachine() = default;

  // UserError at a fault that the machine has no place for.
  void run();
  bool stopped() const { return stopped_; }  // ended early because stop_requested said so
  const std::vector<contract::LayerResult>& layers() const { return results_; }
  // When they ran, in edges.
  const std::vector<contract::Span>& spans() const { return spans_; }
  const std::vector<sim::Module*>& modules() const { return scheduler_.modules(); }

  // Of a machine whose faults are asked for one by one; before it runs. Without it, and without options.faults, nothing
  // looks for any.
  Injector& injector();
  const contract::FaultLog& fault_log() const { return fault_log_; }
  // Once, ahead of that edge of the first clock. Within such an action, in a process forked there: the rest of the run,
  // with this fault and without what at() was told before. Hang if it is not over at the edge `end`.
  void at(sim::Edge edge, std::function<void()> action) { scheduler_.at(edge, std::move(action)); }
  void run_on(const contract::Fault& fault, sim::Edge end);
  sim::Edge now() const { return clock_.edge; }

 protected:
  ClockedMachine(contract::Program program, MachineOptions options, base::Rational clock_mhz);

  LayerHooks hooks();

  // What differs from accelerator to accelerator, at a layer's first and last edge.
  virtual Host& host() = 0;
  virtual memory::Ddr& ddr() = 0;
  virtual void begin(const contract::LayerPlan& plan) = 0;
  virtual void end(contract::LayerResult& result) = 0;
  // The blocks that a reset of the core resets, in their order; empty: it has none.
  virtual std::vector<sim::Module*> core() { return {}; }
  // Of each bucket so far, those that are counted as they pass; an edge belongs to the first that it adds to.
  virtual std::vector<base::Cycles> edges() const = 0;
  // The bucket of an edge of a layer that none of them counted.
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

  std::vector<base::Cycles> edges_before_, timeline_before_;  // of each bucket, ahead of an edge that is recorded
  std::size_t layer_ = 0;                                     // that runs; behind the last: none
  sim::Edge layer_start_ = 0;
  std::vector<std::int64_t> counts_before_;  // of every block's counters, at the layer's begin
  bool stopped_ = false;
  contract::FaultLog fault_log_;
  std::unique_ptr<Injector> injector_;
  std::vector<contract::LayerResult> results_;
  std::vector<contract::Span> spans_;
};

}  // namespace fansim::platform
