// SPDX-License-Identifier: Apache-2.0
#include "accelerators/tiled/paths/burst_channel.h"

namespace fansim::tiled {

// A burst yet to be pushed is seen by the port stages after `pushed` + 2, and taken an edge later.
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

template <class Picture>
BurstChannel::Next BurstChannel::show(Picture& picture, timing::Edge pushed) {
  std::int64_t waiting = written_.count() - crossed_.count(), crossed = crossed_.count() - taken_.count();
  picture.number(waiting), picture.number(crossed);
  Next next;
  timing::Edge written_floor = timing::kLongAgo, crossed_floor = timing::kLongAgo;
  const std::int64_t taken = picture.taken() ? taken_.count() : 0;
  if (picture.taken()) {
    next = this->next(pushed);
    if (waiting == 0) written_floor = pushed;
    // Its place is free again before the next burst needs it.
    const timing::Edge free = pushed + 2 - config_.clocks.stages;
    if (free >= 0) crossed_floor = config_.clocks.to_port.floor(free);
    if (crossed > 0) crossed_floor = std::min(crossed_floor, crossed_[taken] - 1);
    if (waiting > 0) crossed_floor = std::min(crossed_floor, crossed_.last() - 1);
  }
  crossed += taken, waiting += crossed;  // how many have passed
  picture.fabric(written_, std::min(crossed, waiting - 2), waiting, written_floor);
  picture.port(crossed_, std::min({waiting - config_.depth, crossed - 1, taken}), crossed, crossed_floor);
  picture.port(taken_, taken - 2, taken, next.taken - 2);
  picture.queue(bursts_, [&](Burst& burst) { picture.number(burst.lane), picture.number(burst.beats); });

  picture.number(left_);
  const bool busy = left_ > 0 || !parts_.empty();
  const timing::Edge floor = busy ? timing::kLongAgo : next.taken;
  if (left_ > 0) picture.port(open_);
  picture.queue(parts_, [&](Part& part) { picture.number(part.beats), picture.port(part.granted); });
  const auto handed = static_cast<std::int64_t>(parts_.size());
  const std::int64_t granted = picture.taken() ? granted_.count() : 0;
  picture.port(handed_, granted + handed - 1, granted + handed, floor);
  picture.port(granted_, granted - 2, granted, floor);
  return next;
}

template BurstChannel::Next BurstChannel::show(TakenPicture&, timing::Edge);
template BurstChannel::Next BurstChannel::show(PutBackPicture&, timing::Edge);

}  // namespace fansim::tiled
