// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "accelerators/decoupled/config/command.h"
#include "timing/edge.h"
#include "timing/queue.h"

namespace fansim::decoupled {

// Holds, for each pair of units, the edges from which on one sees the tokens of the other that it has not taken.
class Tokens {
 public:
  void clear() {
    for (auto& queues : seen_from_)
      for (auto& queue : queues) queue.clear();
  }
  // Gives the tokens of a command of `from` that ended at `edge`.
  void give(Unit from, std::uint8_t to, timing::Edge edge) {
    for (std::size_t unit = 0; unit < kUnits; ++unit)
      if ((to >> unit & 1) != 0) seen_from_[index(from)][unit].push(edge + 1);
  }
  // Returns whether every token that `to` waits for has been given.
  bool given(std::uint8_t from, Unit to) const {
    for (std::size_t unit = 0; unit < kUnits; ++unit)
      if ((from >> unit & 1) != 0 && seen_from_[unit][index(to)].empty()) return false;
    return true;
  }
  timing::Edge take(Unit from, Unit to) { return seen_from_[index(from)][index(to)].pop(); }

 private:
  std::array<std::array<timing::Queue<timing::Edge>, kUnits>, kUnits> seen_from_;
};

}  // namespace fansim::decoupled
