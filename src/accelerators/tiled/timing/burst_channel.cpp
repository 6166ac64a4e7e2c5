// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/timing/burst_channel.h"

#include "timing/replay/snapshot.h"

namespace fansim::tiled {

using timing::Clock;

// The port sees a burst that is yet to be pushed some stages after `pushed` + 2, and takes it an edge later.
BurstChannel::Next BurstChannel::next(timing::Edge pushed) const {
  Next next;
  if (crossed_.count() > taken_.count())
    next.taken = crossed_[taken_.count()] + 1;
  else if (written_.count() > crossed_.count())
    next.taken = config_.clocks.seen_by_port(written_[crossed_.count()]) + 1;
  else if (pushed >= 0)
    next.taken = config_.clocks.seen_by_port(pushed + 2) + 1;
  next.granted = parts_.empty() ? next.taken : parts_.front().granted;
  return next;
}

// Bursts count from those that the width converter took, parts from those that were granted.
template <class V>
BurstChannel::Next BurstChannel::visit(V& v, timing::Edge pushed) {
  std::int64_t taken = taken_.count(), crossed = crossed_.count(), written = written_.count();
  v.counter(taken);
  v.count(crossed);
  v.count(written);
  const Next next = this->next(pushed);
  const timing::Edge written_floor = written == crossed ? pushed : timing::kLongAgo;
  // The place of a burst is free again before the next one needs it.
  const timing::Edge free = pushed + 2 - config_.clocks.stages;
  timing::Edge crossed_floor = free < 0 ? timing::kLongAgo : config_.clocks.to_port.floor(free);
  if (crossed > taken) crossed_floor = std::min(crossed_floor, crossed_[taken] - 1);
  if (written > crossed) crossed_floor = std::min(crossed_floor, crossed_.last() - 1);
  v.history(written_, std::min(crossed, written - 2), written, written_floor);
  v.history(Clock::port, crossed_, std::min({written - config_.depth, crossed - 1, taken}), crossed, crossed_floor);
  v.history(Clock::port, taken_, taken - 2, taken, next.taken - 2);
  v.queue(bursts_, [&](Burst& burst) {
    v.number(burst.lane);
    v.number(burst.beats);
  });

  v.number(left_);
  if (left_ > 0) v.edge(Clock::port, open_);
  v.queue(parts_, [&](Part& part) {
    v.number(part.beats);
    v.edge(Clock::port, part.granted);
  });
  std::int64_t granted = granted_.count();
  v.counter(granted);
  const std::int64_t handed = granted + static_cast<std::int64_t>(parts_.size());
  const timing::Edge floor = left_ > 0 || !parts_.empty() ? timing::kLongAgo : next.taken;
  v.history(Clock::port, handed_, handed - 1, handed, floor);
  v.history(Clock::port, granted_, granted - 2, granted, floor);
  return next;
}

template BurstChannel::Next BurstChannel::visit(timing::SnapshotWriter&, timing::Edge);
template BurstChannel::Next BurstChannel::visit(timing::SnapshotReader&, timing::Edge);

}  // namespace fansim::tiled
