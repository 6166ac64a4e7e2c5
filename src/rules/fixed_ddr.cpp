// SPDX-License-Identifier: Apache-2.0
#include "rules/fixed_ddr.h"

#include <algorithm>

namespace fansim::rules {

contract::DdrConfig effective(const contract::DdrConfig& config) {
  if (config.fidelity == contract::DdrFidelity::fixed) return config;
  contract::DdrConfig ideal = config;
  ideal.read_latency = ideal.write_latency = 1;
  ideal.turnaround = ideal.refresh_cycles = 0;
  return ideal;
}

std::int64_t FixedDdrState::all_free() const {
  std::int64_t free = lanes.front().bus_free;
  for (const FixedDdrLane& lane : lanes) free = std::max(free, lane.bus_free);
  return free;
}

int lanes(const contract::DdrConfig& config, int port_bits, int ports) {
  return ports * port_bits <= config.data_bits ? ports : 1;
}

void quiesce(FixedDdrState& state, const contract::DdrConfig& config, std::int64_t edge) {
  refresh(state, config, edge - 1);
  for (FixedDdrLane& lane : state.lanes) lane = {edge, edge, edge, Direction::none, 0};
  state.refresh_end = edge;
  state.refresh_due = config.refresh_cycles > 0 ? edge + config.refresh_interval : FixedDdrState::kNever;
}

void refresh(FixedDdrState& state, const contract::DdrConfig& config, std::int64_t edge) {
  while (state.refresh_due <= edge) {
    const std::int64_t start = std::max(state.refresh_due, state.all_free());
    if (start > edge) return;
    state.refresh_end = start + config.refresh_cycles;
    for (FixedDdrLane& lane : state.lanes) lane.bus_free = state.refresh_end;
    state.refresh_due += config.refresh_interval;
    ++state.refreshes;
  }
}

std::int64_t decides(const FixedDdrState& state, std::int64_t edge, int lane) {
  edge = std::max(edge, state[lane].bus_free);
  return edge < state.refresh_due ? edge : std::max(edge, state.all_free());
}

Pick pick(FixedDdrState& state, const contract::DdrConfig& config, const Requests& heads, std::int64_t edge, int lane) {
  FixedDdrLane& bus = state[lane];
  if (edge < bus.bus_free) return {};
  const bool read = heads.read.beats > 0 && heads.read.arrival < edge;
  const bool write = heads.write.beats > 0 && heads.write.arrival < edge;
  if (!read && !write) return {};
  refresh(state, config, edge);
  if (edge < bus.bus_free || edge >= state.refresh_due) return {};

  Pick result;
  result.direction = read && !(write && bus.last == Direction::read) ? Direction::read : Direction::write;
  const Request& request = result.direction == Direction::read ? heads.read : heads.write;
  const bool turn = bus.last != Direction::none && bus.last != result.direction;
  result.port = request.port;
  result.start = turn ? std::max(edge, bus.burst_end + config.turnaround) : edge;
  result.data = result.start + (result.direction == Direction::read ? config.read_latency : 0);
  state.turnarounds += turn;
  const std::int64_t end = result.start + request.beats;
  bus = {end, result.start, end, result.direction, result.port};
  return result;
}

void stretch(FixedDdrState& state, int lane) { state[lane].bus_free = ++state[lane].burst_end; }

ReadWait why(const FixedDdrState& state, const Request& read, std::int64_t edge, int lane) {
  const FixedDdrLane& bus = state[lane];
  if (read.beats == 0 || read.arrival >= edge) return ReadWait::none;
  if (edge < bus.burst_start) return ReadWait::turnaround;
  if (edge < bus.burst_end)
    return bus.last == Direction::read && bus.port == read.port ? ReadWait::busy_same : ReadWait::arbitration;
  return edge < state.refresh_end || edge >= state.refresh_due ? ReadWait::refresh : ReadWait::none;
}

}  // namespace fansim::rules
