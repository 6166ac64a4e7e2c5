// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "base/rational.h"

namespace fansim::sim {

using Edge = std::int64_t;

class Module;
class PinModule;

// Blocks of a clock, as bits of one of its words of those that are awake.
struct AwakeBits {
  std::uint64_t* word;
  std::uint64_t bits;

  // In a steady flow they are up already, and nothing waits for a store.
  void raise() const {
    if ((*word & bits) != bits) *word |= bits;
  }
  void lower() const { *word &= ~bits; }
};

// One clock: its frequency in MHz as an exact rational and the number of rising edges so far.
// Edges are the only time inside a block; seconds exist where a report divides by the frequency.
struct ClockDomain {
  ClockDomain(std::string domain_name, base::Rational frequency_mhz)
      : name(std::move(domain_name)), mhz(frequency_mhz) {}

  std::string name;
  base::Rational mhz;
  Edge edge = 0;  // the edge being evaluated; the first is 1
  // And how long it is until the next edge, in units that all clocks have in common.
  __extension__ __int128 period = 1, left = 1;
  Edge last_move = 0;  // the last edge at which a stream moved or a block reported progress
  std::vector<Module*> modules;
  static constexpr std::size_t kWord = 64;
  std::vector<std::uint64_t> awake;  // a bit for each module: it has something to do at the next edge
  std::vector<PinModule*> pins;

  // Wakes blocks at that edge, which is still to come: they wait for it, and get on.
  void wake_at(Edge at, const AwakeBits& blocks) { alarm({at, blocks, true}); }
  // At the next one: there is something to see.
  void wake_next(const AwakeBits& blocks) { alarm({edge + 1, blocks, false}); }
  // The first of those edges, far away if there is none; whether somebody waits for one.
  Edge next_alarm() const { return next_alarm_; }
  bool waits() const;
  // Ahead of the steps of an edge.
  void ring() {
    if (edge >= next_alarm_) ring_due();
  }

  // Behind an instant: whether it had an edge then.
  bool rose() const { return left == period; }

  // The clock as a wire, for modules outside the kit; exists from the first call on, which is before the simulation.
  // What they do at its rising edge reads the wires as they were before it.
  sc_core::sc_signal<bool>& clk();
  bool exported() const { return clk_ != nullptr; }

 private:
  static constexpr Edge kNever = std::numeric_limits<Edge>::max();
  struct Alarm {
    Edge edge;
    AwakeBits blocks;
    bool awaited;
  };
  void alarm(const Alarm& alarm);
  void ring_due();

  std::vector<Alarm> alarms_;
  Edge next_alarm_ = kNever;
  std::unique_ptr<sc_core::sc_signal<bool>> clk_;
};

}  // namespace fansim::sim
