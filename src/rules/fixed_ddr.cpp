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

std::optional<int> constant_write_latency(const contract::DdrConfig& config) {
  if (config.fidelity == contract::DdrFidelity::banked) return {};
  return effective(config).write_latency;
}

void quiesce(FixedDdrState& state, const contract::DdrConfig& config, std::int64_t edge) {
  refresh(state, config, edge - 1);
  for (FixedDdrLane& lane : state.lanes) lane = {edge, edge, edge, Direction::none};
  state.refresh_end = edge;
  state.refresh_due = config.refresh_cycles > 0 ? edge + config.refresh_interval : FixedDdrState::kNever;
}

void stretch(FixedDdrState& state, int lane) { state[lane].bus_free = ++state[lane].burst_end; }

ReadWait why(const FixedDdrState& state, const Request& read, std::int64_t edge, int lane) {
  const FixedDdrLane& bus = state[lane];
  if (read.arrival >= edge) return ReadWait::none;
  if (edge < bus.burst_start - bus.others) return ReadWait::turnaround;
  if (edge < bus.burst_start && state.pace.shared) return ReadWait::arbitration;
  if (edge < bus.burst_end)
    return bus.last == Direction::read && bus.port == read.port ? ReadWait::busy_same : ReadWait::arbitration;
  return edge < state.refresh_end || edge >= state.refresh_due ? ReadWait::refresh : ReadWait::none;
}

}  // namespace fansim::rules
