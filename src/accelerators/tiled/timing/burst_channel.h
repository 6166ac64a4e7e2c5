// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "accelerators/tiled/timing/path_config.h"
#include "timing/history.h"
#include "timing/queue.h"

namespace fansim::tiled {

// Computes when a manager's bursts pass clock crossing, width converter and interconnect on their way to the memory's
// port: axi::ClockCrossing, axi::WidthConverter and axi::Interconnect for `ar` or `aw`. No other manager asks for the
// same direction meanwhile. Each stage's edge is computed as soon as the edges that it depends on are.
class BurstChannel {
 public:
  struct Burst {
    int lane = 0;  // where in a beat of the port it begins
    int beats = 0;
    timing::Edge taken = timing::kLongAgo;  // by the width converter
  };
  // One of the bursts on the memory's port that a manager's burst becomes.
  struct Part {
    int beats = 0;
    timing::Edge granted = timing::kLongAgo;  // by the interconnect; the earliest edge, until it is
  };

  explicit BurstChannel(const PathConfig& config)
      : config_(config), written_(config.depth + 2), crossed_(config.depth + 2), taken_(4), handed_(4), granted_(4) {}

  // Once has_room(), the manager may push its next burst from room() on.
  bool has_room() const { return crossed_.count() > written_.count() - config_.depth; }
  timing::Edge room() const { return written_[written_.count() - 2] + 1; }
  void push(timing::Edge pushed, int lane, int beats) {
    const auto seen_back = [this](timing::Edge e) { return config_.clocks.seen_by_fabric(e); };
    const timing::Edge place = timing::place_free(crossed_[written_.count() - config_.depth], seen_back);
    written_.add(std::max({pushed + 1, written_.last() + 1, place}));
    bursts_.push({lane, beats, timing::kLongAgo});
    cross();
  }

  // Whether a burst comes to the width converter, which has handed on the one before.
  bool has_burst() const { return left_ == 0 && crossed_.count() > taken_.count(); }
  // The converter takes it. It has a place for it from `free` on.
  Burst take(timing::Edge free) {
    Burst burst = bursts_.pop();
    burst.taken = taken_.add(std::max({crossed_[taken_.count()] + 1, taken_.last() + 1, handed_.last(), free}));
    left_ = config_.port_beats(burst.lane, burst.beats);
    open_ = burst.taken;
    cross();
    hand();
    return burst;
  }

  // Whether a part comes to the interconnect.
  bool has_part() const { return !parts_.empty(); }
  // The interconnect grants it. It may have one more part in flight from `free` on.
  Part grant(timing::Edge free) {
    Part part = parts_.pop();
    part.granted = granted_.add(std::max({part.granted, granted_.last() + 1, free}));
    hand();
    return part;
  }

  // Edges before which no further burst is taken and no further part granted.
  struct Next {
    timing::Edge taken = timing::kLongAgo, granted = timing::kLongAgo;
  };
  // `pushed` is the edge of the last push.
  template <class V>
  Next visit(V& v, timing::Edge pushed);

 private:
  void cross() {
    for (std::int64_t i = crossed_.count(); i < written_.count() && taken_.count() >= i - 1; ++i)
      crossed_.add(std::max({config_.clocks.seen_by_port(written_[i]), crossed_.last() + 1, taken_[i - 2] + 1}));
  }

  // Hands on parts of the burst that is in the width converter.
  void hand() {
    for (std::int64_t q = handed_.count(); left_ > 0 && granted_.count() >= q - 1; ++q) {
      open_ = handed_.add(std::max(open_ + 1, granted_[q - 2] + 1));
      const int beats = std::min(left_, config_.longest);
      parts_.push({beats, open_ + 1});
      left_ -= beats;
    }
  }

  Next next(timing::Edge pushed) const;

  PathConfig config_;
  timing::History written_, crossed_;     // bursts, at the crossing's two sides
  timing::History taken_;                 // bursts, by the width converter
  timing::History handed_, granted_;      // parts, by the width converter and the interconnect
  timing::Queue<Burst> bursts_;           // written and not taken
  timing::Queue<Part> parts_;             // handed on and not granted
  int left_ = 0;                          // beats of the burst that are not handed on
  timing::Edge open_ = timing::kLongAgo;  // the edge of the last step with the burst
};

}  // namespace fansim::tiled
