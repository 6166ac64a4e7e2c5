// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "contract/ddr.h"
#include "rules/pace.h"
#include "rules/read_wait.h"

namespace fansim::rules {

// DDR with constants for its timing. Its data path is one lane for all ports, or one for each if they fit in it side by
// side: at most one burst is on a lane, a burst holds it one edge per beat, a change of direction costs `turnaround`
// idle edges, a refresh holds all lanes for `refresh_cycles`. A paced lane lets others go before each burst (pace.h).
// Everything is counted in edges of the ports' clock; both engines decide with these functions and nothing else.
enum class Direction : std::uint8_t { none, read, write };

// The oldest request of one direction that has not been granted. One that never arrives: there is none.
struct Request {
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max() / 4;

  std::int64_t arrival = kNever;
  int beats = 0;
  int port = 0;
};

// Returns the older one of two ports' oldest requests. If both arrived at one edge, it is the first port's.
inline const Request& older(const Request& first, const Request& second) {
  return second.arrival < first.arrival ? second : first;
}

struct Requests {
  Request read;
  Request write;
};

struct FixedDdrLane {
  std::int64_t bus_free = 0;     // first edge at which the next decision may be taken
  std::int64_t burst_start = 0;  // edges of the last burst: [start, end)
  std::int64_t burst_end = 0;
  Direction last = Direction::none;  // its direction; none after quiesce
  int port = 0;                      // whose it was
  std::int64_t others = 0;           // edges before burst_start that the lane gave to others
  std::int64_t owed = 0;             // to others, of the pace
};

struct FixedDdrState {
  static constexpr std::int64_t kNever = Request::kNever;

  explicit FixedDdrState(int count = 1, Pace of_lanes = {}) : lanes(static_cast<std::size_t>(count)), pace(of_lanes) {}
  FixedDdrLane& operator[](int lane) { return lanes[static_cast<std::size_t>(lane)]; }
  const FixedDdrLane& operator[](int lane) const { return lanes[static_cast<std::size_t>(lane)]; }
  // The first edge at which no lane holds a burst or a refresh.
  std::int64_t all_free() const {
    std::int64_t free = lanes.front().bus_free;
    for (const FixedDdrLane& lane : lanes) free = std::max(free, lane.bus_free);
    return free;
  }

  std::vector<FixedDdrLane> lanes;
  Pace pace;                     // of every lane
  std::int64_t refresh_due = 0;  // never without refreshes
  std::int64_t refresh_end = 0;  // of the last refresh, which held the lanes for refresh_cycles before
  std::int64_t refreshes = 0;    // totals; the owner may take and clear them
  std::int64_t turnarounds = 0;
};

struct Pick {
  Direction direction = Direction::none;
  int port = 0;
  std::int64_t others = 0;  // the edge from which others have the lane, until `start`
  std::int64_t start = 0;   // the burst holds its lane [start, start + beats)
  std::int64_t data = 0;    // first edge of data: R pushed for a read, W popped for a write
};

// The constants that count: `ideal` answers in the next cycle and has neither turnaround nor refresh.
contract::DdrConfig effective(const contract::DdrConfig& config);

// Edges from a write's last beat to its response, where they are always as many: not of banks.
std::optional<int> constant_write_latency(const contract::DdrConfig& config);

using contract::lanes;

// The state at a layer boundary: nothing on the lanes, next refresh a whole interval away. Refreshes that started
// before `edge` are counted. A fresh state is quiesced at edge 0.
void quiesce(FixedDdrState& state, const contract::DdrConfig& config, std::int64_t edge);

// Starts every refresh that is due and finds all lanes free at or before `edge`.
inline void refresh(FixedDdrState& state, const contract::DdrConfig& config, std::int64_t edge) {
  while (state.refresh_due <= edge) {
    const std::int64_t start = std::max(state.refresh_due, state.all_free());
    if (start > edge) return;
    state.refresh_end = start + config.refresh_cycles;
    for (FixedDdrLane& lane : state.lanes) lane.bus_free = state.refresh_end;
    state.refresh_due += config.refresh_interval;
    ++state.refreshes;
  }
}

// The first edge from `edge` on at which a lane may decide, or a refresh comes first.
inline std::int64_t decides(const FixedDdrState& state, std::int64_t edge, int lane) {
  edge = std::max(edge, state[lane].bus_free);
  return edge < state.refresh_due ? edge : std::max(edge, state.all_free());
}

// A lane's decision at `edge`, none while it is held or a refresh waits for the others: among requests that arrived
// before it, the direction not served last wins (a read after quiesce). The pick commits: after a change of direction
// the burst starts `turnaround` edges after the last one's end, and later by what the pace gives to others.
inline Pick pick(FixedDdrState& state, const contract::DdrConfig& config, const Request& read, const Request& write,
                 std::int64_t edge, int lane = 0) {
  FixedDdrLane& bus = state[lane];
  const bool reads = read.arrival < edge, writes = write.arrival < edge;
  if (edge < bus.bus_free || !(reads || writes)) return {};
  refresh(state, config, edge);
  if (edge < bus.bus_free || edge >= state.refresh_due) return {};

  Pick result;
  result.direction = reads && !(writes && bus.last == Direction::read) ? Direction::read : Direction::write;
  const Request& request = result.direction == Direction::read ? read : write;
  const bool turn = bus.last != Direction::none && bus.last != result.direction;
  result.port = request.port;
  result.others = turn ? std::max(edge, bus.burst_end + config.turnaround) : edge;
  const std::int64_t others = state.pace.before(request.beats, bus.owed);
  result.start = result.others + others;
  result.data = result.start + (result.direction == Direction::read ? int{config.read_latency} : 0);
  state.turnarounds += turn;
  const std::int64_t end = result.start + request.beats;
  bus = {end, result.start, end, result.direction, result.port, others, bus.owed};
  return result;
}

inline Pick pick(FixedDdrState& state, const contract::DdrConfig& config, const Requests& heads, std::int64_t edge,
                 int lane = 0) {
  return pick(state, config, heads.read, heads.write, edge, lane);
}

// A foreign manager withheld a write beat for one edge: the burst holds its lane for one more.
void stretch(FixedDdrState& state, int lane = 0);

// What a read waits for while others have its lane before it.
inline ReadWait why_others(const FixedDdrState& state) {
  return state.pace.shared ? ReadWait::arbitration : ReadWait::none;
}

// What a port's oldest read, not yet granted, waits for at `edge`; after the pick() of that edge, which must have seen
// it.
ReadWait why(const FixedDdrState& state, const Request& read, std::int64_t edge, int lane = 0);

}  // namespace fansim::rules
