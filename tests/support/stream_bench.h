// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "sim/module.h"
#include "sim/scheduler.h"
#include "sim/stream.h"
#include "sim/violation.h"
#include "sim/waveform.h"

// A test bench for blocks with stream ports: sources and sinks that stall at random and remember their edges.
// SystemC elaborates once per process, so a test case builds one bench, puts everything it compares into it side by
// side, and runs it; CTest gives every case its own process.
namespace fansim::test {

// Pushes `items` in order, at most one per edge. Before each push it may pause, with stall_percent of 100 at every
// edge.
template <class T>
class Source final : public sim::Module {
 public:
  sim::StreamOut<T> out{"out"};

  explicit Source(const sc_core::sc_module_name& name, std::vector<T> items = {}, int stall_percent = 0,
                  std::uint64_t seed = 1)
      : Module(name), items_(std::move(items)), stall_percent_(stall_percent), random_(seed, this->name()) {}

  // Item i is not pushed before edge not_before[i]; items without an entry go as soon as they can.
  std::vector<sim::Edge> not_before;

  void add(const T& item) { items_.push_back(item); }
  void add(const T& item, sim::Edge edge) {
    not_before.resize(items_.size(), 0);
    not_before.push_back(edge);
    add(item);
  }

  const std::vector<sim::Edge>& edges() const { return edges_; }  // of every push so far
  bool done() const { return edges_.size() == items_.size(); }

 private:
  void step() override {
    const std::size_t i = edges_.size();
    if (i == items_.size() || (i < not_before.size() && now() < not_before[i])) return;
    if (!out.can_push() || random_.chance(stall_percent_)) return;
    out.push(items_[i]);
    edges_.push_back(now());
  }

  std::vector<T> items_;
  std::vector<sim::Edge> edges_;
  int stall_percent_;
  base::Random random_;
};

// Pops whatever comes, at most one item per edge, pausing at random.
template <class T>
class Sink final : public sim::Module {
 public:
  sim::StreamIn<T> in{"in"};

  explicit Sink(const sc_core::sc_module_name& name, int stall_percent = 0, std::uint64_t seed = 1)
      : Module(name), stall_percent_(stall_percent), random_(seed, this->name()) {}

  sim::Edge not_before = 0;  // pops nothing earlier

  const std::vector<T>& items() const { return items_; }
  const std::vector<sim::Edge>& edges() const { return edges_; }  // of every pop
  std::size_t count() const { return items_.size(); }

 private:
  void step() override {
    if (now() < not_before || !in.can_pop() || random_.chance(stall_percent_)) return;
    items_.push_back(in.pop());
    edges_.push_back(now());
  }

  std::vector<T> items_;
  std::vector<sim::Edge> edges_;
  int stall_percent_;
  base::Random random_;
};

// Returns the value of a block's counter, by name.
inline std::int64_t counter(const sim::Module& module, const std::string& name) {
  for (const sim::Counter* counter : module.counters())
    if (name == counter->name) return counter->value();
  throw std::invalid_argument("no counter " + name);
}

// Holds one clock domain and the scheduler. Declare it first, then streams and blocks, then bind, then run. If the
// variable FANSIM_VCD of the environment names a file, it records what happens there.
class Bench {
 public:
  explicit Bench(base::Rational mhz = {250, 1}) : clock(scheduler.domain("clock", mhz)) {
    const char* file = std::getenv("FANSIM_VCD");
    if (file) scheduler.record(std::make_unique<sim::Waveform>(file, sim::WaveformWindow{}));
  }

  // Runs until `done`, asked at every edge before the blocks step, says so; false if `limit` edges pass before. Can be
  // called once.
  bool run_until(std::function<bool()> done, sim::Edge limit = 1'000'000) {
    observer_.done = std::move(done);
    observer_.limit = limit;
    scheduler.run();
    return observer_.met;
  }
  void run(sim::Edge edges) {
    run_until([] { return false; }, edges);
  }
  // Called at every edge, before the blocks step.
  void at_each_edge(std::function<void(sim::Edge)> action) { observer_.action = std::move(action); }

  sim::Edge now() const { return observer_.now(); }

  sim::Scheduler scheduler{"scheduler"};
  sim::ClockDomain& clock;

 private:
  class Observer final : public sim::Module {
   public:
    Observer(const sc_core::sc_module_name& name, sim::Scheduler& scheduler) : Module(name), scheduler_(scheduler) {}
    std::function<bool()> done;
    std::function<void(sim::Edge)> action;
    sim::Edge limit = 0;
    bool met = false;

   private:
    // Looks at the state after the previous edge: only what other blocks did then.
    void step() override {
      if (action) action(now());
      met = done();
      if (met || now() >= limit) scheduler_.finish();
    }
    sim::Scheduler& scheduler_;
  };

  Observer observer_{"observer", scheduler};
};

}  // namespace fansim::test
