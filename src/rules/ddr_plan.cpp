// SPDX-License-Identifier: Apache-2.0
#include "rules/ddr_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace fansim::rules {

using contract::DdrPart;
using Edge = std::int64_t;

namespace {

// The first edge from row_ready on at which the column command keeps its distance to every committed one.
void place_column(const BankedDdrState& state, const DdrPart& part, const DdrRequest& request, bool write,
                  DdrPlan& plan) {
  plan.column = plan.row_ready;
  bool passed = false;  // it would go before a command that has been looked at
  for (int i = 0; i < state.command_count; ++i) {
    const DdrCommand& other = state.commands[static_cast<std::size_t>(i)];
    const bool same_group = other.group == request.place.group;
    const Edge after = other.edge + column_spacing(part, other.write, write, same_group);
    if (after <= plan.column) continue;
    if (plan.column + column_spacing(part, write, other.write, same_group) <= other.edge) {
      passed = true;
      continue;
    }
    plan.column = after;
    plan.wait = other.write != write         ? ReadWait::turnaround
                : other.port != request.port ? ReadWait::arbitration
                                             : ReadWait::busy_same;
    if (passed) {
      i = -1;
      passed = false;
    }
  }
}

}  // namespace

DdrPlan plan_access(const BankedDdrState& state, const DdrPart& part, const DdrRequest& request, bool write,
                    Edge edge) {
  const DdrBank& bank = state.banks[static_cast<std::size_t>(request.place.bank)];
  DdrPlan plan;
  plan.hit = bank.row == request.place.row;
  if (plan.hit) {
    plan.row_ready = std::max(edge, bank.column);
  } else {
    if (bank.row >= 0) plan.precharge = std::max(edge, bank.precharge);
    const Edge closed = bank.row < 0 ? edge : plan.precharge + part.trp;
    plan.activate = std::max({closed, bank.activate, state.activates.back() + part.trrd_s,
                              state.group_activates[static_cast<std::size_t>(request.place.group)] + part.trrd_l,
                              state.activates.front() + part.tfaw});
    plan.row_ready = plan.activate + part.trcd;
  }
  place_column(state, part, request, write, plan);
  return plan;
}

void record_command(BankedDdrState& state, const DdrPart& part, const DdrCommand& command, Edge edge) {
  const Edge oldest = edge - std::max(column_spacing(part, true, false, true), column_spacing(part, false, true, true));
  auto* begin = state.commands.data();
  auto* end = begin + state.command_count;
  end = std::move(std::find_if(begin, end, [&](const DdrCommand& c) { return c.edge >= oldest; }), end, begin);
  if (end == begin + state.commands.size())
    throw std::logic_error(
        fmt::format("rules: more than {} column commands that still count, edge {}", state.commands.size(), edge));
  auto* place = std::find_if(begin, end, [&](const DdrCommand& c) { return c.edge > command.edge; });
  std::move_backward(place, end, end + 1);
  *place = command;
  state.command_count = static_cast<int>(end + 1 - begin);
}

}  // namespace fansim::rules
