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

// A statistic. It is declared once, as a member of its block.
class Counter {
 public:
  Counter(Module& owner, const char* name, const char* unit, const char* doc);
  Counter(const Counter&) = delete;
  Counter& operator=(const Counter&) = delete;

  Counter& operator++() {
    ++value_;
    return *this;
  }
  Counter& operator+=(std::int64_t n) {
    value_ += n;
    return *this;
  }
  inline std::int64_t value() const;
  void clear() { value_ = 0; }
  // Counts at every edge, also while the block sleeps, until its next step calls stop(). Meanwhile value() counts the
  // edges before the present one.
  inline void run();
  inline void stop();

  const char* const name;
  const char* const unit;
  const char* const doc;

 private:
  static constexpr Edge kStands = -1;

  const Module& owner_;
  std::int64_t value_ = 0;
  Edge since_ = kStands;  // the last edge that value_ includes, while it runs
};

// A register as the tracer sees it; see reg.h.
class RegBase {
 public:
  RegBase(Module& owner, const char* name);
  RegBase(const RegBase&) = delete;
  RegBase& operator=(const RegBase&) = delete;
  virtual ~RegBase() = default;
  virtual void trace(Tracer& tracer) = 0;
  virtual void sample() = 0;
  std::string full_name() const;
  // Makes `reader`, a block of the same clock, wake at the edge at which it sees another value.
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

// A block of the block diagram. step() is one rising edge; it handles outputs first and inputs last. Blocks meet only
// in streams and registers, whose new values appear at the next edge, so the order of steps within an edge does not
// matter.
class Module : public sc_core::sc_module {
 public:
  explicit Module(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {}

  // Ends what is under way. It is called before the first edge, and between two edges if the block has a reset.
  // Memories keep their contents, and counters and counts of interrupts go on.
  virtual void reset() {}
  // A step() that is called at most edges should be [[gnu::flatten]], so that all its calls are compiled in one piece.
  virtual void step() = 0;
  // Returns whether the block has no clocked behaviour of its own; it is then not stepped.
  virtual bool passive() const { return false; }

  // Announces, before the first edge, that between any two edges a fault may change what the block keeps, or delay what
  // it waits for.
  virtual void expect_faults() {}

  // Returns whether the block meets models in SystemC's own time. If there is such a block, every instant is one
  // SystemC activation.
  virtual bool timed() const { return false; }

  // Returns the event for which this block waits, for the watchdog's report; empty if there is none.
  virtual std::string waiting_for() const { return {}; }

  // Called by another block that gave this one something to do without pushing to a stream.
  void wake() { awake_.raise(); }
  // Wakes this block before its step at that edge, which must be a later one. Until then the watchdog does not count it
  // as hanging.
  void wake_at(Edge edge) { domain_->wake_at(edge, awake_); }

  // Registers a block that looks at what this block shows beside its streams. It wakes when that changes.
  virtual void watched_by(Module& watcher) { watcher_ = &watcher; }

  void clock(ClockDomain& domain) { domain_ = &domain; }
  ClockDomain& domain() const { return *domain_; }
  Edge now() const { return domain_->edge; }

  const std::vector<Counter*>& counters() const { return counters_; }
  const std::vector<RegBase*>& registers() const { return registers_; }
  const std::vector<Storage*>& storages() const { return storages_; }

 protected:
  // Called from step() by a block that has nothing to do until one of its input streams is pushed or somebody wakes it.
  void sleep() { awake_.lower(); }
  // Called when something that the watcher sees has changed.
  void changed() {
    if (watcher_) watcher_->wake();
  }
  template <class T>
  void show(T& shown, T value) {
    if (shown != value) {
      shown = value;
      changed();
    }
  }
  // Tells the watchdog that this block makes progress although it moves no stream.
  void progress() { domain_->last_move = domain_->edge; }
  [[noreturn]] void violation(const std::string& what) const;

 private:
  friend class Counter;
  friend class RegBase;
  friend class Storage;
  friend class Scheduler;
  static ClockDomain& unclocked();
  // Throws a violation if no scheduler has taken this block by then, because nobody would step it.
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
