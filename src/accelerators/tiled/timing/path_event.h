// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "timing/edge.h"

namespace fansim::tiled {

// What happens on a path: what it is told, and what it tells then.
struct PathEvent {
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

  timing::Clock clock() const { return what < What::begin ? timing::Clock::port : timing::Clock::fabric; }
};

using PathEvents = std::vector<PathEvent>;

}  // namespace fansim::tiled
