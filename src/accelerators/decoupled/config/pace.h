// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "accelerators/decoupled/config/account.h"
#include "accelerators/decoupled/config/command.h"
#include "accelerators/decoupled/config/config.h"
#include "base/units.h"

namespace fansim::decoupled {

// Gives the duration of a command of the compute unit: `setup` edges, then steps of `interval` edges each, then
// `latency` edges.
struct Pace {
  int setup = 0, interval = 1, latency = 0;
  BucketIndex bucket = kMultiply;  // bucket of its steps
};

inline Pace pace_of(Action action, const Config& config) {
  if (action == Action::post) return {config.post.setup, config.post.interval, 0, kPost};
  if (action == Action::pool) return {config.array.setup, config.array.pool_interval, config.array.latency, kPool};
  return {config.array.setup, config.array.interval, config.array.latency, kMultiply};
}

// Returns the least number of edges from one stored beat to the next.
inline int beat_interval(Action action, const Config& config) {
  if (action == Action::store_sums || config.post.where == PostPlace::array) return 1;
  return std::max(1, base::ceil_div(config.axi.beat_bytes() / config.data.bytes(), config.post.lanes));
}

// Describes the lanes of a unit that moves data: their number, the port of the first, and how their transfers are made.
struct Lanes {
  int count = 0, first_port = 0;
  const MoverConfig* mover = nullptr;
};

inline Lanes lanes_of(Unit unit, const Config& config) {
  if (unit == Unit::load) return {config.load.ports, 0, &config.load};
  if (unit == Unit::load_weights)
    return {config.load.two_units() ? config.load.weight_ports : 0, config.load.ports, &config.load};
  if (unit == Unit::store) return {config.store.ports, 0, &config.store};
  return {};
}

}  // namespace fansim::decoupled
