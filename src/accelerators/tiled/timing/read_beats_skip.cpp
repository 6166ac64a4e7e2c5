// SPDX-License-Identifier: Apache-2.0
// This file takes beats that nothing obstructs in one go.
#include <algorithm>

#include "accelerators/tiled/timing/read_beats.h"

namespace fansim::tiled {

namespace {

constexpr int kLookedAt = 3;  // beats before the end of a burst to which those behind it look back

}  // namespace

// If the manager takes beats as fast as they come, no beat waits, and none has to be looked at. `beats` beats follow
// one per edge. Returns how many of them are left out; the last ones of a burst are not.
int ReadBeats::skip(Stages& at, int beats, Burst& burst) {
  if (scattered_) return 0;
  const int ratio = config_.manager_bytes / config_.port_bytes;
  const int count = std::min(burst.beats, beats / ratio) - kLookedAt;
  if (count <= 0 || !unobstructed(at)) return 0;
  at.sent += count * ratio;
  for (timing::Pops* edges : {&at.returned, &at.geared, &at.written, &at.taken, &at.decoded}) *edges = {};
  at.narrow = at.crossed = timing::kLongAgo;
  places_.add_same(count, timing::kLongAgo);
  burst.beats -= count;
  return count * ratio;
}

// Whether the last beat waited nowhere, and places of the crossing will be free when the next beats need them.
bool ReadBeats::unobstructed(const Stages& at) const {
  const timing::Edge written = at.written.last, ratio = config_.manager_bytes / config_.port_bytes;
  if (written != at.sent + 4 || at.crossed != config_.clocks.seen_by_fabric(written) ||
      at.decoded.last != at.crossed + 2)
    return false;
  for (int back = 0; back < config_.depth; ++back)
    if (places_[places_.count() - 1 - back] > written + ratio * (config_.depth - back)) return false;
  return true;
}

}  // namespace fansim::tiled
