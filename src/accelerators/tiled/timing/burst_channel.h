// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "accelerators/tiled/timing/clocks.h"
#include "accelerators/tiled/timing/history.h"
#include "contract/axi.h"
#include "timing/queue.h"

namespace fansim::tiled {

// What a manager's address channel, its data and its responses have in common on their way to the memory's port.
struct PathConfig {
  PathConfig(const Config& c, int manager_bits, int burst_beats, int outstanding_bursts)
      : clocks(c),
        depth(c.clock_converter.depth),
        manager_bytes(manager_bits / 8),
        port_bytes(c.port.beat_bytes()),
        port_outstanding(c.port.outstanding),
        longest(c.port.burst_beats),
        outstanding(outstanding_bursts) {
    axi.data_bits = manager_bits;
    axi.burst_beats = burst_beats;
  }

  TiledClocks clocks;
  int depth;
  int manager_bytes, port_bytes;
  int port_outstanding;
  int longest;  // beats of a burst on the port
  int outstanding;
  contract::AxiConfig axi;

  // The manager, with a beat per edge, takes at least what the port brings, and the places of a crossing that no beat
  // waits for come back before they are needed.
  bool outruns() const {
    const timing::Edge ratio = manager_bytes / port_bytes;
    return ratio > 0 && clocks.to_fabric.floor(ratio) > 0 &&
           ratio * depth >= clocks.to_port.ceil(clocks.stages) + clocks.stages;
  }
  bool up() const { return port_bytes > manager_bytes; }
  // Beats of the port that hold a burst of the manager.
  int port_beats(std::uint64_t address, int beats) const {
    const auto first = static_cast<int>(address % static_cast<std::uint64_t>(port_bytes));
    return (first + beats * manager_bytes + port_bytes - 1) / port_bytes;
  }
  int parts(std::uint64_t address, int beats) const { return (port_beats(address, beats) + longest - 1) / longest; }
};

// One of the bursts on the memory's port that a manager's burst becomes.
struct BurstPart {
  std::uint64_t address;
  int beats;
  timing::Edge granted;  // by the interconnect
};

// A manager's bursts through clock crossing, width converter and interconnect to the memory's port: axi::ClockCrossing,
// axi::WidthConverter and axi::Interconnect for `ar` or `aw`. No other manager asks for the same direction meanwhile.
// Every stage's edges are known as soon as those are that they depend on, so that nothing waits for knowledge.
class BurstChannel {
 public:
  struct Burst {
    std::uint64_t address;
    int beats;
    timing::Edge taken;  // by the width converter
  };

  explicit BurstChannel(const PathConfig& config)
      : config_(config), written_(config.depth + 2), crossed_(config.depth + 2), taken_(4), handed_(4), granted_(4) {}

  // The manager may push its next burst from room() on, once has_room().
  bool has_room() const { return crossed_.count() > written_.count() - config_.depth; }
  timing::Edge room() const { return written_[written_.count() - 2] + 1; }
  void push(timing::Edge pushed, std::uint64_t address, int beats) {
    const auto seen_back = [this](timing::Edge e) { return config_.clocks.seen_by_fabric(e); };
    const timing::Edge place = place_free(crossed_[written_.count() - config_.depth], seen_back);
    written_.add(std::max({pushed + 1, written_.last() + 1, place}));
    bursts_.push({address, beats, timing::kLongAgo});
    cross();
  }

  // A burst comes to the width converter, which has handed on the one before.
  bool has_burst() const { return left_ == 0 && crossed_.count() > taken_.count(); }
  // It is taken, from `free` on, when the converter has a place for it.
  Burst take(timing::Edge free) {
    Burst burst = bursts_.pop();
    burst.taken = taken_.add(std::max({crossed_[taken_.count()] + 1, taken_.last() + 1, handed_.last(), free}));
    const auto width = static_cast<std::uint64_t>(config_.port_bytes);
    address_ = burst.address / width * width;
    left_ = config_.port_beats(burst.address, burst.beats);
    open_ = burst.taken;
    cross();
    hand();
    return burst;
  }

  // A part comes to the interconnect.
  bool has_part() const { return !parts_.empty(); }
  // It is granted, from `free` on, when the interconnect may have one more in flight.
  BurstPart grant(timing::Edge free) {
    BurstPart part = parts_.pop();
    part.granted = granted_.add(std::max({part.granted, granted_.last() + 1, free}));
    hand();
    return part;
  }

 private:
  void cross() {
    for (std::int64_t i = crossed_.count(); i < written_.count() && taken_.count() >= i - 1; ++i)
      crossed_.add(std::max({config_.clocks.seen_by_port(written_[i]), crossed_.last() + 1, taken_[i - 2] + 1}));
  }

  // Parts of the burst in the width converter; `granted` is the earliest edge.
  void hand() {
    for (std::int64_t q = handed_.count(); left_ > 0 && granted_.count() >= q - 1; ++q) {
      open_ = handed_.add(std::max(open_ + 1, granted_[q - 2] + 1));
      const int beats = std::min(left_, config_.longest);
      parts_.push({address_, beats, open_ + 1});
      left_ -= beats;
      address_ += static_cast<std::uint64_t>(beats) * static_cast<std::uint64_t>(config_.port_bytes);
    }
  }

  const PathConfig config_;
  History written_, crossed_;             // by the crossing's sides
  History taken_;                         // by the width converter
  History handed_, granted_;              // parts, by the width converter and the interconnect
  timing::Queue<Burst> bursts_;           // written
  timing::Queue<BurstPart> parts_;        // handed
  std::uint64_t address_ = 0;             // of the next part
  int left_ = 0;                          // beats of the burst's parts
  timing::Edge open_ = timing::kLongAgo;  // the edge of the last step with the burst
};

}  // namespace fansim::tiled
