// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <systemc>
#include <vector>

#include "sim/clock_domain.h"
#include "sim/module.h"
#include "sim/pin_module.h"
#include "sim/stream.h"
#include "sim/waveform.h"

namespace fansim::sim {

// Owns every clock domain and walks their rising edges in exact rational order. At one instant all domains that have an
// edge step. Many edges run per SystemC activation, up to the next foreign event. While a waveform is recorded or a
// clock is exported, one edge runs per activation, so that SystemC time is exact.
class Scheduler final : public sc_core::sc_module {
 public:
  explicit Scheduler(const sc_core::sc_module_name& name);
  ~Scheduler() override;

  ClockDomain& domain(const std::string& name, base::Rational mhz);

  // Runs until a block calls finish(), a violation is thrown (it is rethrown here), or `stop_requested` returns true.
  void run();
  // Resets the blocks and empties their streams. To be called between edges.
  void reset(const std::vector<Module*>& modules);
  void finish() { finished_ = true; }
  bool finished() const { return finished_; }

  // If no stream moved for this many edges of the first domain, a violation says who waits for whom.
  Edge watchdog = 1'000'000;
  // It is asked between batches of edges. If it returns true the run ends early (for example after an interrupt from
  // the keyboard).
  std::function<bool()> stop_requested;
  // Calls `action` once, after the step of the edge before `edge` and before that of `edge`, in edges of the first
  // domain. Actions for one edge are called in the order of the calls to at(). If the edge is past, the action is
  // called before the next edge.
  void at(Edge edge, std::function<void()> action) { actions_.emplace(edge, std::move(action)); }
  void forget_actions() { actions_.clear(); }
  // Runs the rest of the run from within an action. It is a violation if somebody else uses SystemC's time.
  void run_on();
  // Called after each edge of the first domain; may be null. It must not be set within a run.
  std::function<void(Edge)> each_edge;
  // Records the streams and registers within the window.
  void record(std::unique_ptr<Waveform> waveform) { waveform_ = std::move(waveform); }

  const std::vector<Module*>& modules() const { return scene_.modules; }

 private:
  void end_of_elaboration() override;
  void measure_periods();
  void collect(const std::vector<sc_core::sc_object*>& objects);
  void enlist(Module& module);
  void join(Module& module, const AwakeBits& awake);
  static void step_modules(ClockDomain& domain);
  static void step_all(ClockDomain& domain);
  void activate();
  void run_batch();
  void run_unseen(ClockDomain& lead, Edge limit);
  void check_watchdog(const ClockDomain& lead) const;
  void act(Edge next);
  Edge leap(Edge most);
  bool waits() const;
  const ClockDomain& next() const;
  void instant();
  void toggle();
  sc_core::sc_time time_of_next();
  std::string who_waits() const;

  std::multimap<Edge, std::function<void()>> actions_;
  std::vector<std::unique_ptr<ClockDomain>> domains_;
  Scene scene_;
  std::unique_ptr<Waveform> waveform_;
  enum class Clk { low, rising, high } clk_ = Clk::low;  // state of the exported clocks
  bool wired_ = false;            // there are pins or an exported clock: one instant per activation
  bool toggles_ = false;          // wired_, and somebody sees the clocks rise and fall
  std::uint64_t pins_awake_ = 0;  // nobody reads it: pins are sampled at every edge
  std::exception_ptr failure_;
  bool finished_ = false;
  bool running_ = false;  // within run()
};

}  // namespace fansim::sim
