// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/timing/write_beats.h"

#include <algorithm>

#include "timing/replay/snapshot.h"

namespace fansim::tiled {

using timing::Clock;

bool WriteBeats::flow(PathEvents& events) {
  bool any = false;
  while (fill() | drain(events)) any = true;
  return any;
}

// Moves beats into the clock crossing.
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

// Moves beats out of the clock crossing.
bool WriteBeats::drain(PathEvents& events) {
  Stages at = at_;
  bool any = false, in_part = false;  // the last beat told of is followed by others of its part
  for (bool more = true; more; any |= more) {
    more = cross(at);
    more |= gear(at);
    for (bool ahead = true; ahead; more |= ahead) {
      ahead = hand_over(at);
      ahead |= pass(at);
      ahead |= pop(at, events, in_part);
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

// The width converter takes a beat. Several of them make one of the port, or one makes several.
inline bool WriteBeats::gear(Stages& at) {
  const std::int64_t i = at.geared.count;
  if (at.to_hand_over > 0 || at.crossed.count <= i || to_gear_.empty()) return false;
  Burst& burst = to_gear_.front();
  at.geared.pass(std::max({at.crossed[i] + 1, at.geared.last + 1, burst.from, at.handed.last}));
  const bool last = --burst.beats == 0;
  if (!config_.up())
    at.to_hand_over = config_.manager_bytes / config_.port_bytes;
  else if ((burst.lane += config_.manager_bytes) == config_.port_bytes || last) {
    at.to_hand_over = 1;
    burst.lane = 0;
  }
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

// The interconnect hands on a beat, once its burst has been granted.
inline bool WriteBeats::pass(Stages& at) {
  const std::int64_t j = at.passed.count;
  if (j >= at.handed.count || j >= at.popped.count + 2 || to_pass_.empty()) return false;
  Burst& part = to_pass_.front();
  at.passed.pass(std::max({at.handed[j] + 1, at.passed.last + 1, part.from, at.popped[j - 2] + 1}));
  if (--part.beats == 0) to_pass_.pop();
  return true;
}

inline bool WriteBeats::pop(Stages& at, PathEvents& events, bool& in_part) {
  if (at.popped.count >= at.passed.count || taken_ == 0) return false;
  Part& part = to_pop_.front();
  const timing::Edge edge = std::max({at.passed[at.popped.count] + 1, at.popped.last + 1, part.from});
  at.popped.pass(edge);
  --part.beats;
  tell(part, edge, in_part, events);
  in_part = part.beats > 0;
  if (!in_part) {
    to_pop_.pop();
    --taken_;
    whole_.push(edge);
  }
  return true;
}

// A memory with constant latencies counts from a part's last beat alone, as if all beats had come one per edge.
inline void WriteBeats::tell(const Part& part, timing::Edge edge, bool follows, PathEvents& events) const {
  if (config_.direct()) {
    if (part.beats == 0) events.push_back({PathEvent::What::popped, part.all, edge + 1 - part.all});
  } else if (follows && events.back().edge + events.back().beats == edge) {
    ++events.back().beats;
  } else {
    events.push_back({PathEvent::What::popped, 1, edge});
  }
}

timing::Edge WriteBeats::next_popped() const {
  const Stages& at = at_;
  if (at.popped.count < at.passed.count) return std::max(at.passed[at.popped.count], at.popped.last) + 1;
  const bool handed = at.passed.count < at.handed.count;
  timing::Edge passed = std::max(at.passed.last, handed ? at.handed[at.passed.count] : at.handed.last + 1) + 1;
  if (!to_pass_.empty()) passed = std::max(passed, to_pass_.front().from);
  return std::max(passed, at.popped.last) + 1;
}

// Beats of the manager count from those that the width converter took.
template <class V>
void WriteBeats::visit(V& v, std::int64_t first, timing::Edge floor) {
  std::int64_t crossed = at_.crossed.count, written = written_.count(), sent = sent_.count();
  v.counter(at_.geared.count);
  v.count(crossed);
  v.count(written);
  v.count(sent);
  at_.crossed.count = crossed;
  floor = std::min(floor, sent_[std::min(written, sent - 1)] - 1);
  v.history(sent_, std::min({first, written, sent - 1}), sent, floor);
  v.history(written_, std::min(crossed, written - 2), written, timing::kLongAgo);
  v.history(places_, std::min(written - config_.depth, crossed), crossed, written_.last() + 1);
  visit_bursts(v, to_send_, [&](Burst& burst) { v.edge(burst.from, sent_.last() + 1); });
  visit_drain(v);
}

// The last item at each point matters, and items that have not passed the next point. The item before the last matters
// where the next one may meet it. Beats of the port count from those that were popped.
template <class V>
void WriteBeats::visit_drain(V& v) {
  Stages& at = at_;
  v.counter(at.popped.count);
  v.count(at.passed.count);
  v.count(at.handed.count);
  v.number(at.to_hand_over);
  const std::int64_t ungeared = at.crossed.count - at.geared.count, unpassed = at.handed.count - at.passed.count;
  const std::int64_t unpopped = at.passed.count - at.popped.count;
  for (Passed* passed : {&at.crossed, &at.geared, &at.handed, &at.passed, &at.popped})
    v.edge(Clock::port, passed->last);
  if (ungeared == 2) v.edge(Clock::port, at.crossed.before);
  if (ungeared == 0) v.edge(Clock::port, at.geared.before, at.crossed.last);
  if (unpassed == 2) v.edge(Clock::port, at.handed.before);
  if (unpopped == 2)
    v.edge(Clock::port, at.passed.before);
  else if (unpassed == 0)
    v.edge(Clock::port, at.passed.before, at.handed.last);
  if (unpopped == 0) v.edge(Clock::port, at.popped.before, at.passed.last);
  visit_bursts(v, to_gear_, [&](Burst& burst) { v.edge(Clock::port, burst.from, at.geared.last + 1); });
  visit_bursts(v, to_pass_, [&](Burst& part) { v.edge(Clock::port, part.from, at.passed.last + 1); });
  v.number(taken_);
  std::size_t part_number = 0;
  v.queue(to_pop_, [&](Part& part) {
    v.number(part.all);
    v.number(part.beats);
    if (part_number++ < taken_) v.edge(Clock::port, part.from, at.popped.last + 1);
  });
}

template <class V, class VisitFrom>
void WriteBeats::visit_bursts(V& v, timing::Queue<Burst>& bursts, VisitFrom&& visit_from) {
  v.queue(bursts, [&](Burst& burst) {
    v.number(burst.lane);
    v.number(burst.beats);
    visit_from(burst);
  });
}

template void WriteBeats::visit(timing::SnapshotWriter&, std::int64_t, timing::Edge);
template void WriteBeats::visit(timing::SnapshotReader&, std::int64_t, timing::Edge);

}  // namespace fansim::tiled
