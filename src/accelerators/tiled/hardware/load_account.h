// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/reg.h"

namespace fansim::tiled {

// Counts the tiles of one load stage, and the cycles from a tile's first request to the edge that sees its last value
// in. Tiles end in the order in which they began; several may be under way.
class LoadAccount {
 public:
  explicit LoadAccount(sim::Module& owner)
      : state_(owner, "state", {"idle", "busy"}, [this] { return std::size_t{under_way_ > 0}; }),
        tiles_(owner, "tiles", "tiles", "tiles loaded"),
        cycles_(owner, "cycles", "cycles", "cycles from first request to last value, summed over tiles") {}

  void begin(sim::Edge now) {
    begun_ += now;
    ++under_way_;
  }
  void end(sim::Edge now) {
    ended_ += now;
    --under_way_;
    ++tiles_;
    settle();
  }
  bool none_under_way() const { return under_way_ == 0; }

  std::int64_t tiles() const { return tiles_.value(); }
  std::int64_t cycles() const { return cycles_.value(); }

 private:
  // When no tile is under way, the sum of all ends less the sum of all beginnings is the sum of the durations.
  void settle() {
    if (under_way_ > 0) return;
    cycles_ += ended_ - begun_;
    begun_ = ended_ = 0;
  }

  sim::Edge begun_ = 0, ended_ = 0;
  int under_way_ = 0;
  sim::Word state_;
  sim::Counter tiles_, cycles_;
};

}  // namespace fansim::tiled
