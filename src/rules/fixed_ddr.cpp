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

void quiesce(FixedDdrState& state, const contract::DdrConfig& config, std::int64_t edge) {
  refresh(state, config, edge - 1);
  state.bus_free = state.burst_start = state.burst_end = state.refresh_end = edge;
  state.last = Direction::none;
  state.refresh_due = edge + config.refresh_interval;
}

void refresh(FixedDdrState& state, const contract::DdrConfig& config, std::int64_t edge) {
  if (config.refresh_cycles == 0) return;
  while (std::max(state.refresh_due, state.bus_free) <= edge) {
    state.refresh_end = std::max(state.refresh_due, state.bus_free) + config.refresh_cycles;
    state.bus_free = state.refresh_end;
    state.refresh_due += config.refresh_interval;
    ++state.refreshes;
  }
}

Pick pick(FixedDdrState& state, const contract::DdrConfig& config, const Requests& heads, std::int64_t edge) {
  if (edge < state.bus_free) return {};
  const bool read = heads.read.beats > 0 && heads.read.arrival < edge;
  const bool write = heads.write.beats > 0 && heads.write.arrival < edge;
  if (!read && !write) return {};
  refresh(state, config, edge);
  if (edge < state.bus_free) return {};

  Pick result;
  result.direction = read && !(write && state.last == Direction::read) ? Direction::read : Direction::write;
  const bool turn = state.last != Direction::none && state.last != result.direction;
  result.start = turn ? std::max(edge, state.burst_end + config.turnaround) : edge;
  result.data = result.start + (result.direction == Direction::read ? config.read_latency : 0);
  state.turnarounds += turn;
  state.last = result.direction;
  state.burst_start = result.start;
  state.burst_end = result.start + (result.direction == Direction::read ? heads.read.beats : heads.write.beats);
  state.bus_free = state.burst_end;
  return result;
}

void stretch(FixedDdrState& state) { state.bus_free = ++state.burst_end; }

ReadWait why(const FixedDdrState& state, const Request& read, std::int64_t edge) {
  if (read.beats == 0 || read.arrival >= edge) return ReadWait::none;
  if (edge < state.burst_start) return ReadWait::turnaround;
  if (edge < state.burst_end) return state.last == Direction::write ? ReadWait::arbitration : ReadWait::busy_same;
  return edge < state.refresh_end ? ReadWait::refresh : ReadWait::none;
}

}  // namespace fansim::rules
