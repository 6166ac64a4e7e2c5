// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "timing/edge.h"

namespace fansim::tiled {

// What happens on a path: what it is told, and what it tells then. Edges of the memory's port or of the fabric.
struct PathStep {
  enum class What : std::uint8_t {
    // Told, on the port: data of reads may be sent, a write is taken, its response may leave (if that is told).
    data,
    take,
    respond,
    // Tells, on the port: the last beat was sent, the memory is asked for the next burst, beats were popped by it.
    sent,
    asked,
    popped,
    // Told, on the fabric: a tile begins.
    begin,
    // Tells, on the fabric: the tile's last run was issued; a half is free; a tile ended.
    issued,
    freed,
    ended,
  };

  What what = What::data;
  int beats = 0;  // or none
  timing::Edge edge = 0;

  bool on_port() const { return what < What::begin; }

  // In a word, with 32 bits of the edge; of an edge that they do not hold, in none.
  bool fits() const { return edge == static_cast<std::int32_t>(edge); }
  std::uint64_t word() const {
    return static_cast<std::uint64_t>(edge) << 32 | static_cast<std::uint32_t>(beats) << 8 |
           static_cast<std::uint8_t>(what);
  }
  static PathStep of(std::uint64_t word) {
    return {static_cast<What>(word & 0xFF), static_cast<int>(word >> 8 & 0xFFFFFF),
            static_cast<std::int32_t>(word >> 32)};
  }
};

using PathSteps = std::vector<PathStep>;

}  // namespace fansim::tiled
