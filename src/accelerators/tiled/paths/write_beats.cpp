// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/paths/write_beats.h"

#include <algorithm>

namespace fansim::tiled {

bool WriteBeats::flow(PathSteps& tells) {
  bool any = false;
  while (fill() | drain(tells)) any = true;
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
bool WriteBeats::drain(PathSteps& tells) {
  Stages at = at_;
  bool any = false, in_part = false;  // the last beat told of is followed by others of its part
  for (bool more = true; more; any |= more) {
    more = cross(at);
    more |= gear(at);
    for (bool ahead = true; ahead; more |= ahead) {
      ahead = hand_over(at);
      ahead |= pass(at);
      ahead |= pop(at, tells, in_part);
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
  const bool last = --burst.beats == 0;
  if (!config_.up())
    at.to_hand_over = config_.manager_bytes / config_.port_bytes;
  else if ((burst.lane += config_.manager_bytes) == config_.port_bytes || last)
    at.to_hand_over = 1, burst.lane = 0;
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

inline bool WriteBeats::pop(Stages& at, PathSteps& tells, bool& in_part) {
  if (at.popped.count >= at.passed.count || taken_ == 0) return false;
  Part& part = to_pop_.front();
  const timing::Edge edge = std::max({at.passed[at.popped.count] + 1, at.popped.last + 1, part.from});
  at.popped.pass(edge);
  --part.beats;
  tell(part, edge, in_part, tells);
  in_part = part.beats > 0;
  if (!in_part) to_pop_.pop(), --taken_, whole_.push(edge);
  return true;
}

// A memory of constants counts from a part's last beat alone, as if they all had come one per edge.
inline void WriteBeats::tell(const Part& part, timing::Edge edge, bool follows, PathSteps& tells) const {
  if (config_.direct()) {
    if (part.beats == 0) tells.push_back({PathStep::What::popped, part.all, edge + 1 - part.all});
  } else if (follows && tells.back().edge + tells.back().beats == edge) {
    ++tells.back().beats;
  } else {
    tells.push_back({PathStep::What::popped, 1, edge});
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

template <class Picture>
void WriteBeats::show(Picture& picture, std::int64_t first, timing::Edge floor) {
  std::int64_t unwritten = sent_.count() - written_.count(), uncrossed = written_.count() - at_.crossed.count;
  std::int64_t ungeared = at_.crossed.count - at_.geared.count;
  picture.number(unwritten), picture.number(uncrossed), picture.number(ungeared);
  if (!picture.taken()) at_.geared.count = 0, at_.crossed.count = ungeared;
  const std::int64_t crossed = at_.crossed.count, written = crossed + uncrossed, sent = written + unwritten;
  if (picture.taken()) floor = std::min(floor, sent_[std::min(written, sent - 1)] - 1);
  picture.fabric(sent_, std::min({first, written, sent - 1}), sent, floor);
  picture.fabric(written_, std::min(crossed, written - 2), written, timing::kLongAgo);
  picture.fabric(places_, std::min(written - config_.depth, crossed), crossed,
                 picture.taken() ? written_.last() + 1 : 0);
  show_bursts(picture, to_send_, [&](Burst& burst) { picture.fabric(burst.from, sent_.last() + 1); });
  show_drain(picture, ungeared);
}

// Of what passed a point, the last counts, what has not passed the next one, and the one before the last where the next
// to come may meet it.
template <class Picture>
void WriteBeats::show_drain(Picture& picture, std::int64_t ungeared) {
  Stages& at = at_;
  std::int64_t unpassed = at.handed.count - at.passed.count, unpopped = at.passed.count - at.popped.count;
  picture.number(unpassed), picture.number(unpopped), picture.number(at.to_hand_over);
  if (!picture.taken()) at.popped.count = 0, at.passed.count = unpopped, at.handed.count = unpopped + unpassed;
  for (Passed* passed : {&at.crossed, &at.geared, &at.handed, &at.passed, &at.popped}) picture.port(passed->last);
  if (ungeared == 2) picture.port(at.crossed.before);
  if (ungeared == 0) picture.port(at.geared.before, at.crossed.last);
  if (unpassed == 2) picture.port(at.handed.before);
  if (unpopped == 2)
    picture.port(at.passed.before);
  else if (unpassed == 0)
    picture.port(at.passed.before, at.handed.last);
  if (unpopped == 0) picture.port(at.popped.before, at.passed.last);
  show_bursts(picture, to_gear_, [&](Burst& burst) { picture.port(burst.from, at.geared.last + 1); });
  show_bursts(picture, to_pass_, [&](Burst& part) { picture.port(part.from, at.passed.last + 1); });
  picture.number(taken_);
  std::size_t part_number = 0;
  picture.queue(to_pop_, [&](Part& part) {
    picture.number(part.all), picture.number(part.beats);
    if (part_number++ < taken_) picture.port(part.from, at.popped.last + 1);
  });
}

template <class Picture, class Show>
void WriteBeats::show_bursts(Picture& picture, timing::Queue<Burst>& bursts, Show&& show_from) {
  picture.queue(bursts, [&](Burst& burst) {
    picture.number(burst.lane), picture.number(burst.beats);
    show_from(burst);
  });
}

template void WriteBeats::show(TakenPicture&, std::int64_t, timing::Edge);
template void WriteBeats::show(PutBackPicture&, std::int64_t, timing::Edge);

}  // namespace fansim::tiled
