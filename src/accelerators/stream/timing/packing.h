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
  template <class State>
  void visit(State& state) {
    state.edge(pushed);
    accepted.visit(state);
  }
};

}  // namespace fansim::stream
