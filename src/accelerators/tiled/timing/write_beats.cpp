// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/timing/write_beats.h"

#include <algorithm>

namespace fansim::tiled {

bool WriteBeats::flow() {
  bool any = false;
  while (fill() | drain()) any = true;
  return any;
}

// Into the clock crossing.
bool WriteBeats::fill() {
  bool any = false;
  while (true) {
    const std::int64_t i = written_.count();
    if (sent_.count() < i + 2 && !to_send_.empty()) {
      Burst& burst = to_send_.front();
      const std::int64_t beat = sent_.count();
      sent_.add(std::max({burst.from, sent_.last() + 1, written_[beat - 2] + 1}));
      if (--burst.beats == 0) to_send_.pop();
      any = true;
    }
    if (i >= sent_.count() || i >= places_.count() + config_.depth) return any;
    written_.add(std::max({sent_[i] + 1, written_.last() + 1, places_[i - config_.depth]}));
    any = true;
  }
}

// Out of it.
bool WriteBeats::drain() {
  Stages at = at_;
  bool any = false;
  for (bool more = true; more; any |= more) {
    more = cross(at);
    more |= gear(at);
    for (bool ahead = true; ahead; more |= ahead) {
      ahead = hand_over(at);
      ahead |= pass(at);
      ahead |= pop(at);
    }
  }
  at_ = at;
  return any;
}

inline bool WriteBeats::cross(Stages& at) {
  const std::int64_t i = at.crossed.count;
  if (i >= written_.count() || i >= at.geared.count + 2) return false;
  at.crossed.pass(std::max({config_.clocks.seen_by_port(written_[i]), at.crossed.last + 1, at.geared[i - 2] + 1}));
  places_.add(config_.clocks.seen_by_fabric(at.crossed.last));
  return true;
}

// The width converter takes a beat: several of them make one of the port, or one makes several.
inline bool WriteBeats::gear(Stages& at) {
  const std::int64_t i = at.geared.count;
  if (at.to_hand_over > 0 || at.crossed.count <= i || to_gear_.empty()) return false;
  Burst& burst = to_gear_.front();
  at.geared.pass(std::max({at.crossed[i] + 1, at.geared.last + 1, burst.from, at.handed.last}));
  burst.address += static_cast<std::uint64_t>(config_.manager_bytes);
  const bool last = --burst.beats == 0;
  if (!config_.up())
    at.to_hand_over = config_.manager_bytes / config_.port_bytes;
  else if (last || burst.address % static_cast<std::uint64_t>(config_.port_bytes) == 0)
    at.to_hand_over = 1;
  if (last) to_gear_.pop();
  return true;
}

inline bool WriteBeats::hand_over(Stages& at) {
  const std::int64_t j = at.handed.count;
  if (at.to_hand_over == 0 || at.passed.count < j - 1) return false;
  at.handed.pass(std::max({at.geared.last + 1, at.handed.last + 1, at.passed[j - 2] + 1}));
  --at.to_hand_over;
  return true;
}

// Through the interconnect, once the burst has been granted.
inline bool WriteBeats::pass(Stages& at) {
  const std::int64_t j = at.passed.count;
  if (j >= at.handed.count || j >= at.popped.count + 2 || to_pass_.empty()) return false;
  Burst& part = to_pass_.front();
  at.passed.pass(std::max({at.handed[j] + 1, at.passed.last + 1, part.from, at.popped[j - 2] + 1}));
  if (--part.beats == 0) to_pass_.pop();
  return true;
}

inline bool WriteBeats::pop(Stages& at) {
  if (at.popped.count >= at.passed.count || taken_ == 0) return false;
  Burst& part = to_pop_.front();
  const timing::Edge edge = std::max({at.passed[at.popped.count] + 1, at.popped.last + 1, part.from});
  at.popped.pass(edge);
  if (in_part_ && !popped_.empty() && popped_.back().edge + popped_.back().beats == edge)
    ++popped_.back().beats;
  else
    popped_.push({edge, 1});
  in_part_ = --part.beats > 0;
  if (!in_part_) to_pop_.pop(), --taken_;
  return true;
}

}  // namespace fansim::tiled
