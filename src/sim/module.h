// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <systemc>
#include <vector>

#include "sim/clock_domain.h"
#include "sim/storage.h"
#include "sim/trace.h"

namespace fansim::sim {

class Module;

// A statistic, declared once as a member of its block.
class Counter {
 public:
  Counter(Module& owner, const char* name, const char* unit, const char* doc);
  Counter(const Counter&) = delete;
  Counter& operator=(const Counter&) = delete;

  Counter& operator++() { return ++value_, *this; }
  Counter& operator+=(std::int64_t n) { return value_ += n, *this; }
  inline std::int64_t value() const;
  void clear() { value_ = 0; }
  // Of what is counted at every edge: goes on by itself while the block sleeps, until its next step says stop(). Until
  // then the value is that of the edges before this one.
  inline void run();
  inline void stop();

  const char* const name;
  const char* const unit;
  const char* const doc;

 private:
  static constexpr Edge kStands = -1;

  const Module& owner_;
  std::int64_t value_ = 0;
  Edge since_ = kStands;  // the last edge in value_, if it runs
};

// What the tracer sees of a register; see reg.h.
class RegBase {
 public:
  RegBase(Module& owner, const char* name);
  RegBase(const RegBase&) = delete;
  RegBase& operator=(const RegBase&) = delete;
  virtual ~RegBase() = default;
  virtual void trace(Tracer& tracer) = 0;
  virtual void sample() = 0;
  std::string full_name() const;
  // A block of the same clock wakes at the edge at which it sees another value set.
  void wakes(Module& reader) const { readers_.push_back(&reader); }

 protected:
  void wake_readers() const {
    for (Module* reader : readers_) wake(*reader);
  }
  Module& owner_;
  const char* name_;

 private:
  void wake(Module& reader) const;

  mutable std::vector<Module*> readers_;
};

// A box of the block diagram. step() is one rising edge: output first, input last. Blocks meet only in streams and
// registers, whose new values appear at the next edge, so the order of steps within an edge never matters.
class Module : public sc_core::sc_module {
 public:
  explicit Module(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {}

  // Before the first edge, and between two edges where the block has a reset: nothing is under way. Memories keep what
  // they hold, counters and counts of interrupts go on.
  virtual void reset() {}
  // One that is called at most edges is worth [[gnu::flatten]]: all that it calls, in one piece.
  virtual void step() = 0;
  // A block without clocked behaviour of its own is not stepped.
  virtual bool passive() const { return false; }

  // Before the first edge: between any two, a fault may change what the block keeps, or hold up what it waits for.
  virtual void expect_faults() {}

  // A block that meets models in SystemC's own time: while there is one, every instant is one activation.
  virtual bool timed() const { return false; }

  // For the watchdog's report: the event this block waits for, empty if none.
  virtual std::string waiting_for() const { return {}; }

  // By a block that has left this one something to do elsewhere than in a stream.
  void wake() { awake_.raise(); }
  // Ahead of its step at that edge, which is still to come; until then the watchdog sees that the block gets on.
  void wake_at(Edge edge) { domain_->wake_at(edge, awake_); }

  // One that looks at what this block shows beside its streams, and wakes when that has changed.
  virtual void watched_by(Module& watcher) { watcher_ = &watcher; }

  void clock(ClockDomain& domain) { domain_ = &domain; }
  ClockDomain& domain() const { return *domain_; }
  Edge now() const { return domain_->edge; }

  const std::vector<Counter*>& counters() const { return counters_; }
  const std::vector<RegBase*>& registers() const { return registers_; }
  const std::vector<Storage*>& storages() const { return storages_; }

 protected:
  // Called from step() by a block that will have nothing to do until one of its input streams is pushed or
  // somebody wakes it.
  void sleep() { awake_.lower(); }
  // What a watcher sees of this block has changed.
  void changed() {
    if (watcher_) watcher_->wake();
  }
  template <class T>
  void show(T& shown, T value) {
    if (shown != value) shown = value, changed();
  }
  // Tells the watchdog that a block which moves no stream is nevertheless getting on.
  void progress() { domain_->last_move = domain_->edge; }
  [[noreturn]] void violation(const std::string& what) const;

 private:
  friend class Counter;
  friend class RegBase;
  friend class Storage;
  friend class Scheduler;
  static ClockDomain& unclocked();
  // A violation if no scheduler has taken this block by then: nobody would step it.
  void start_of_simulation() override;

  ClockDomain* domain_ = &unclocked();
  std::uint64_t unheard_ = 0;
  AwakeBits awake_{&unheard_, 1};
  Module* watcher_ = nullptr;
  std::vector<Counter*> counters_;
  std::vector<RegBase*> registers_;
  std::vector<Storage*> storages_;
};

inline std::int64_t Counter::value() const { return since_ == kStands ? value_ : value_ + owner_.now() - 1 - since_; }

inline void Counter::run() { since_ = owner_.now(); }

inline void Counter::stop() {
  if (since_ == kStands) return;
  value_ += owner_.now() - 1 - since_;
  since_ = kStands;
}

}  // namespace fansim::sim
