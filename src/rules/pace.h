// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "contract/ddr.h"

namespace fansim::rules {

// What a memory's data path leaves of the beats of a port or of a lane: `beats` of every `edges` edges. The rest is
// others' (`ddr.share`), or is not there, because the path is narrower than a beat (`ddr.data_bits`). Others go before
// each burst.
struct Pace {
  std::int64_t beats = 1, edges = 1;
  bool shared = false;  // there are others

  bool whole() const { return beats == edges; }
  // Edges that others have before a burst of `count` beats. `owed`, in edges / beats, is what is less than an edge; it
  // is left for the next burst.
  std::int64_t before(std::int64_t count, std::int64_t& owed) const {
    if (whole()) return 0;
    owed += count * (edges - beats);
    const std::int64_t before = owed / beats;
    owed -= before * beats;
    return before;
  }
};

// The pace of the lanes of a memory, or of the ports of a banked one, of so many bits.
Pace pace_of(const contract::DdrConfig& ddr, int port_bits);

// One direction of a port of a banked memory, where a burst passes after the one before it and after others.
struct PacedPort {
  std::int64_t free = 0;  // first edge for the next burst
  std::int64_t owed = 0;

  // Returns the edge at which a burst that came at `edge` passes.
  std::int64_t pass(const Pace& pace, std::int64_t edge, int count) {
    if (pace.whole()) return edge;
    edge = std::max(edge, free) + pace.before(count, owed);
    free = edge + count;
    return edge;
  }
};

}  // namespace fansim::rules
