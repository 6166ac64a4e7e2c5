// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "benches/kernel_stimulus.h"
#include "blocks/compressor_tree.h"
#include "blocks/lut_multiplier.h"
#include "blocks/reload_controller.h"
#include "sim/scheduler.h"

namespace fansim::benches {

// Sends the items that it was given, in order.
// Throughput: one item per cycle.
// Latency:    none.
// Stall:      while `out` is full.
template <class T>
class ListSource final : public sim::Module {
 public:
  sim::StreamOut<T> out{"out"};

  ListSource(const sc_core::sc_module_name& name, const std::vector<T>& items) : Module(name), items_(items) {}

 private:
  void step() override {
    if (next_ == items_.size()) {
      sleep();
      return;
    }
    if (out.can_push()) out.push() = items_[next_++];
  }

  const std::vector<T>& items_;
  std::size_t next_ = 0;
};

// Takes a sum whenever there is one, and calls `finished` after the last one.
// Throughput: one sum per cycle.
// Latency:    none.
// Stall:      none.
class SumSink final : public sim::Module {
 public:
  struct Taken {
    sim::Edge edge;
    std::int64_t sum;
  };
  sim::StreamIn<blocks::KernelSum> in{"in"};
  std::function<void()> finished;
  std::vector<Taken> taken;

  SumSink(const sc_core::sc_module_name& name, std::size_t expected) : Module(name), expected_(expected) {}

 private:
  void step() override {
    if (in.empty()) {
      sleep();
      return;
    }
    if (!in.can_pop()) return;
    taken.push_back({now(), in.pop().value});
    if (taken.size() == expected_) finished();
  }

  const std::size_t expected_;
};

// Contains a reconfigurable LUT kernel (reload controller, tables and compressor tree) and its stimulus.
class KernelBench final : public sc_core::sc_module {
 public:
  KernelBench(const sc_core::sc_module_name& name, const KernelStimulus& stimulus);

  void run(std::function<bool()> stop_requested);
  const std::vector<SumSink::Taken>& sums() const { return sink_.taken; }
  const std::vector<sim::Module*>& modules() const { return scheduler_.modules(); }

 private:
  sim::Scheduler scheduler_{"scheduler"};
  ListSource<blocks::Coefficients> coefficients_;
  ListSource<blocks::KernelInputs> inputs_;
  blocks::ReloadController controller_;
  blocks::LutMultiplier multiplier_;
  blocks::CompressorTree tree_;
  SumSink sink_;

  sim::Stream<blocks::Coefficients> sets_stream_{"coefficients_stream"};
  sim::Stream<blocks::ReloadBeat> reload_stream_{"reload_stream"};
  sim::Stream<blocks::KernelInputs> inputs_stream_{"inputs_stream"};
  sim::Stream<blocks::TableEntries> entries_stream_{"entries_stream"};
  sim::Stream<blocks::KernelSum> sums_stream_{"sums_stream"};
};

// Says how far sums are from the exact ones, in units of the output's last place.
struct KernelErrors {
  double most = 0, mean = 0;
};
KernelErrors errors_of(const KernelStimulus& stimulus, const std::vector<SumSink::Taken>& sums);

// Writes "cycle,sum,exact,error", one line per vector. `sum` and `error` are in units of the output's last place.
std::string sums_csv(const KernelStimulus& stimulus, const std::vector<SumSink::Taken>& sums);

}  // namespace fansim::benches
