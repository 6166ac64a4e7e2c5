// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "timing/edge.h"

namespace fansim::stream {

// A tile's stream beats on their way from the packer to the DMA. The writer's words hold up no beat: one comes per
// edge, and none is popped sooner than an edge after it was pushed.
struct Packing {
  timing::Edge pushed =
      timing::kLongAgo;   // the last beat, by the packer; before the first, an edge after its first word was
  timing::Pops accepted;  // by the DMA

  // The next beat takes so many edges to pack; it is accepted from `from` on.
  void beat(timing::Edge packs, timing::Edge from) {
    pushed = std::max(pushed + packs, accepted.room());
    accepted.add(std::max({pushed + 1, accepted.last + 1, from}));
  }
  // Whether the next beats are accepted as soon as they are packed, or as soon as there is room, which is there from
  // `room` on for the first and an edge later for each behind it.
  bool flows(timing::Edge packs, timing::Edge room) const {
    if (packs == 1) return accepted.last != timing::kLongAgo;
    return accepted.last == pushed + 1 && room <= accepted.last + packs;
  }
  // So many of them.
  void flow(std::int64_t beats, timing::Edge packs, timing::Edge room) {
    shift(std::max(beats * packs, room + beats - 1 - accepted.last));
  }

  void shift(timing::Edge by) { pushed += by, accepted.shift(by); }
};

}  // namespace fansim::stream
