// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "arch/axi.h"
#include "timing/tiled/clocks.h"
#include "timing/tiled/history.h"

namespace fansim::timing {

// What a manager's address channel, its data and its responses have in common on their way to the memory's port.
struct PathConfig {
  PathConfig(const arch::TiledConfig& c, int manager_bits, int burst_beats, int outstanding_bursts)
      : clocks(c),
        depth(c.clock_converter.depth),
        manager_bytes(manager_bits / 8),
        port_bytes(c.port.beat_bytes()),
        port_outstanding(c.port.outstanding),
        outstanding(outstanding_bursts) {
    axi.data_bits = manager_bits;
    axi.burst_beats = burst_beats;
  }

  TiledClocks clocks;
  int depth;
  int manager_bytes, port_bytes;
  int port_outstanding;
  int outstanding;
  arch::AxiConfig axi;
  static constexpr int kLongest = 256;  // beats of a burst (AMBA AXI protocol specification, A3.4.1)

  // The manager, with a beat per edge, takes at least what the port brings, and the places of a crossing that no beat
  // waits for come back before they are needed.
  bool outruns() const {
    const Edge ratio = manager_bytes / port_bytes;
    return ratio > 0 && clocks.to_fabric.floor(ratio) > 0 &&
           ratio * depth >= clocks.to_port.ceil(clocks.stages) + clocks.stages;
  }
  bool up() const { return port_bytes > manager_bytes; }
  // Beats of the port that hold a burst of the manager.
  int port_beats(std::uint64_t address, int beats) const {
    const auto first = static_cast<int>(address % static_cast<std::uint64_t>(port_bytes));
    return (first + beats * manager_bytes + port_bytes - 1) / port_bytes;
  }
  int parts(std::uint64_t address, int beats) const { return (port_beats(address, beats) + kLongest - 1) / kLongest; }
};

// One of the bursts on the memory's port that a manager's burst becomes.
struct BurstPart {
  std::uint64_t address;
  int beats;
  bool last;     // of its burst
  Edge granted;  // by the interconnect
};

// A manager's bursts through clock crossing, width converter and interconnect to the memory's port: axi::ClockCrossing,
// axi::WidthConverter and axi::Interconnect for `ar` or `aw`. No other manager asks for the same direction meanwhile.
class BurstChannel {
 public:
  explicit BurstChannel(const PathConfig& config)
      : config_(config), written_(config.depth + 2), crossed_(config.depth + 2), taken_(4), handed_(4), granted_(4) {}

  // When the manager may push its next burst.
  Edge room() const { return written_[written_.count() - 2] + 1; }

  // The manager pushed a burst at `pushed`; the width converter has a free place from `free` on.
  void push(Edge pushed, std::uint64_t address, int beats, Edge free) {
    const std::int64_t b = written_.count();
    const auto seen_back = [this](Edge e) { return config_.clocks.seen_by_fabric(e); };
    const Edge written =
        written_.add(std::max({pushed + 1, written_.last() + 1, place_free(crossed_[b - config_.depth], seen_back)}));
    const Edge crossed =
        crossed_.add(std::max({config_.clocks.seen_by_port(written), crossed_.last() + 1, taken_[b - 2] + 1}));
    taken_.add(std::max({crossed + 1, taken_.last() + 1, handed_.last(), free}));
    address_ =
        address / static_cast<std::uint64_t>(config_.port_bytes) * static_cast<std::uint64_t>(config_.port_bytes);
    left_ = config_.port_beats(address, beats);
    open_ = taken_.last();
  }
  // It was taken by the width converter.
  Edge taken() const { return taken_.last(); }

  // The next part of the burst pushed last, given when the interconnect may have one more in flight.
  bool has_part() const { return left_ > 0; }
  BurstPart part(Edge free) {
    const std::int64_t q = handed_.count();
    const Edge handed = handed_.add(std::max(open_ + 1, granted_[q - 2] + 1));
    open_ = handed;
    const int beats = std::min(left_, PathConfig::kLongest);
    const BurstPart part{address_, beats, left_ == beats,
                         granted_.add(std::max({handed + 1, granted_.last() + 1, free}))};
    left_ -= beats;
    address_ += static_cast<std::uint64_t>(beats) * static_cast<std::uint64_t>(config_.port_bytes);
    return part;
  }

 private:
  const PathConfig config_;
  History written_, crossed_;  // by the crossing's sides
  History taken_;              // by the width converter
  History handed_, granted_;   // parts, by the width converter and the interconnect
  std::uint64_t address_ = 0;  // of the next part
  int left_ = 0;               // beats of the burst's parts
  Edge open_ = kLongAgo;       // the edge of the last step with the burst
};

}  // namespace fansim::timing
