// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "contract/ddr.h"
#include "rules/read_wait.h"

namespace fansim::rules {

// DDR behind one port with constants for its timing: at most one burst is on the bus, a burst holds it one edge per
// beat, a change of direction costs `turnaround` idle edges, a refresh holds it for `refresh_cycles`.
// Everything is counted in edges of the port's clock; both engines decide with these functions and nothing else.
enum class Direction : std::uint8_t { none, read, write };

// The oldest request of one direction that has not been granted; beats == 0: there is none.
struct Request {
  std::int64_t arrival = 0;
  int beats = 0;
};

struct Requests {
  Request read;
  Request write;
};

struct FixedDdrState {
  std::int64_t bus_free = 0;     // first edge at which the next decision may be taken
  std::int64_t burst_start = 0;  // edges of the last burst: [start, end)
  std::int64_t burst_end = 0;
  Direction last = Direction::none;  // its direction; none after quiesce
  std::int64_t refresh_due = 0;
  std::int64_t refresh_end = 0;  // of the last refresh, which held the bus for refresh_cycles before
  std::int64_t refreshes = 0;    // totals; the owner may take and clear them
  std::int64_t turnarounds = 0;
};

struct Pick {
  Direction direction = Direction::none;
  std::int64_t start = 0;  // the burst holds the bus [start, start + beats)
  std::int64_t data = 0;   // first edge of data: R pushed for a read, W popped for a write
};

// The constants that count: `ideal` answers in the next cycle and has neither turnaround nor refresh.
contract::DdrConfig effective(const contract::DdrConfig& config);

// The state at a layer boundary: nothing on the bus, next refresh a whole interval away. Refreshes that started before
// `edge` are counted. A fresh state is quiesced at edge 0.
void quiesce(FixedDdrState& state, const contract::DdrConfig& config, std::int64_t edge);

// Starts every refresh that is due at or before `edge`: at max(due, end of the burst on the bus).
void refresh(FixedDdrState& state, const contract::DdrConfig& config, std::int64_t edge);

// The decision at `edge`, none while the bus is held: among requests that arrived before it, the direction not served
// last wins (a read after quiesce). The pick commits: after a change of direction the burst starts `turnaround` edges
// after the last one's end.
Pick pick(FixedDdrState& state, const contract::DdrConfig& config, const Requests& heads, std::int64_t edge);

// A foreign manager withheld a write beat for one edge: the burst holds the bus for one more.
void stretch(FixedDdrState& state);

// What the oldest read, not yet granted, waits for at `edge`; after the pick() of that edge, which must have seen it.
ReadWait why(const FixedDdrState& state, const Request& read, std::int64_t edge);

}  // namespace fansim::rules
