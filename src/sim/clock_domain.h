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

// The bits that wake some blocks. They lie in one word of a clock domain's `awake`.
struct AwakeBits {
  std::uint64_t* word;
  std::uint64_t bits;

  // Blocks in a steady flow are awake already; the test saves the store.
  void raise() const {
    if ((*word & bits) != bits) *word |= bits;
  }
  void lower() const { *word &= ~bits; }
};

// One clock: its frequency in MHz as an exact rational, and the number of rising edges so far. Inside a block there is
// no other time than edges. Seconds appear only where a report divides by the frequency.
struct ClockDomain {
  ClockDomain(std::string domain_name, base::Rational frequency_mhz)
      : name(std::move(domain_name)), mhz(frequency_mhz) {}

  std::string name;
  base::Rational mhz;
  Edge edge = 0;  // the edge that is being evaluated; the first one is 1
  // The time between edges, and the time left until the next edge, in units that all clocks share.
  __extension__ __int128 period = 1, left = 1;
  Edge last_move = 0;  // the last edge at which a stream moved or a block reported progress
  std::vector<Module*> modules;
  static constexpr std::size_t kWord = 64;
  std::vector<std::uint64_t> awake;  // a bit for each module that has something to do at the next edge
  std::vector<PinModule*> pins;

  // Wakes blocks at a later edge. They wait for that edge on purpose, so the watchdog does not count it as a hang.
  void wake_at(Edge at, const AwakeBits& blocks) { alarm({at, blocks, true}); }
  // Wakes blocks at the next edge, because there is something to see.
  void wake_next(const AwakeBits& blocks) { alarm({edge + 1, blocks, false}); }
  // next_alarm() returns the first edge at which a block is to be woken, or a very late one if there is none. waits()
  // returns whether a block waits for an edge.
  Edge next_alarm() const { return next_alarm_; }
  bool waits() const;
  // Wakes the blocks that are due. It runs before the steps of an edge.
  void ring() {
    if (edge >= next_alarm_) ring_due();
  }

  // Returns, after an instant, whether this clock had an edge at it.
  bool rose() const { return left == period; }

  // Returns the clock as a wire for modules outside the kit. It exists from the first call on, which must come before
  // the simulation. Modules that act at its rising edge read wires as they were before that edge.
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
