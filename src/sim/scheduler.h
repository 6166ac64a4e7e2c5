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

// Owns every clock domain and walks their rising edges in exact rational order; at one instant all domains with an edge
// step. Many edges run per SystemC activation, up to the next foreign event; one edge per activation while a waveform
// is recorded or a clock is exported, so that SystemC time is exact for it.
class Scheduler final : public sc_core::sc_module {
 public:
  explicit Scheduler(const sc_core::sc_module_name& name);
  ~Scheduler() override;

  ClockDomain& domain(const std::string& name, base::Rational mhz);

  // Runs until finish() is called by a block, a violation is thrown (rethrown here) or `stop_requested` says so.
  void run();
  // Between edges: blocks as at the start, and nothing in any stream.
  void reset(const std::vector<Module*>& modules);
  void finish() { finished_ = true; }
  bool finished() const { return finished_; }

  // No stream moved for this many edges of the first domain: a violation that says who waits for whom.
  Edge watchdog = 1'000'000;
  // Asked between batches; true ends the run early (an interrupt from the keyboard).
  std::function<bool()> stop_requested;
  // Calls `action` once between the edges before `edge` and `edge` of the first domain, in the order of the calls to
  // at(); at an edge that is past, before the next one.
  void at(Edge edge, std::function<void()> action) { actions_.emplace(edge, std::move(action)); }
  void forget_actions() { actions_.clear(); }
  // Within an action, what is left of the run. A violation if somebody else shares SystemC's time.
  void run_on();
  // Called behind each edge of the first domain; may be null. Not to be set within a run.
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
  enum class Clk { low, rising, high } clk_ = Clk::low;  // the exported clocks
  bool wired_ = false;                                   // pins or an exported clock: one instant per activation
  bool toggles_ = false;                                 // and somebody sees the clocks rise and fall
  std::uint64_t pins_awake_ = 0;                         // which nobody asks: pins are looked at at every edge
  std::exception_ptr failure_;
  bool finished_ = false;
  bool running_ = false;  // within run()
};

}  // namespace fansim::sim
