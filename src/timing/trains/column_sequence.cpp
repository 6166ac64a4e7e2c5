// SPDX-License-Identifier: Apache-2.0
#include "timing/trains/column_sequence.h"

#include <algorithm>
#include <utility>

#include "rules/ddr_plan.h"

namespace fansim::timing::trains {

using contract::DdrPart;
using rules::BankedDdrState;
using rules::DdrPlan;
using rules::DdrRequest;
using rules::ReadWait;

namespace {

// What a read does that is picked as soon as it may be.
DdrPlan first_plan(const BankedDdrState& state, const DdrPart& part, const DdrRequest& read) {
  return rules::plan_access(state, part, read, false, std::max(read.arrival, state.decided) + 1);
}

bool hits(const BankedDdrState& state, const DdrRequest& read) {
  return state.banks[static_cast<std::size_t>(read.place.bank)].row == read.place.row;
}

// Finds the edges of the sequence's commands as far as they come before `until`.
bool find_edges(const BankedDdrState& state, const DdrPart& part, const ColumnSequence& sequence, bool follows,
                Edge until, ColumnEdges& edges) {
  const auto plan = [&](int i) {
    return first_plan(state, part, {sequence.arrival + i, sequence.place(i), sequence.port, 0});
  };
  DdrPlan first = plan(0), second = plan(1);
  if (!first.hit || !second.hit || (!follows && first.column > sequence.arrival + 1)) return false;
  // Once the second is picked before the first, it is so of every two: the other bank is the sooner each time.
  const bool same_group = sequence.place(0).group == sequence.place(1).group;
  const bool swapped = second.column < first.column;
  if (swapped) {
    if (!follows || same_group || part.tccd_l <= part.tccd_s) return false;
    std::swap(first, second);
  }
  if (first.wait != ReadWait::none && first.wait != ReadWait::busy_same) return false;
  const int before = state.command_count;
  if (before > 0 && state.commands[static_cast<std::size_t>(before - 1)].edge > first.column) return false;
  if (part.trfc > 0) until = std::min(until, state.refresh_due);
  // A starving read would be the only one to be looked at.
  if (swapped) until = std::min(until, sequence.arrival + part.starvation_bound + 1);
  const Edge step = same_group ? part.tccd_l : part.tccd_s;
  edges = {first.column, step, std::max<Edge>(2 * step, part.tccd_l), swapped, sequence.count};
  if (swapped && sequence.followed) edges.count += edges.count % 2;
  edges.count = static_cast<int>(std::min<Edge>(edges.count, edges.before(until)));
  if (swapped) edges.count -= edges.count % 2;
  return edges.count > 0 && (edges.count == 1 || second.column <= edges.pick(1));
}

}  // namespace

bool decide_sequence(BankedDdrState& state, const DdrPart& part, const ColumnSequence& sequence, bool follows,
                     Edge until, ColumnEdges& edges) {
  if (part.page_policy != contract::PagePolicy::open || (!follows && state.decided > sequence.arrival)) return false;
  if (!find_edges(state, part, sequence, follows, until, edges)) return false;
  // Earlier commands count for nothing beside the last two, which are in the same banks.
  const int last_two = std::max(0, edges.count - 2);
  for (int i = sequence.waiting.size > 0 ? 0 : last_two; i < edges.count; ++i) {
    const contract::DdrPlace& place = sequence.place(edges.swapped ? i ^ 1 : i);
    rules::DdrBank& bank = state.banks[static_cast<std::size_t>(place.bank)];
    const Edge column = edges.pick(i);
    bank.precharge = std::max(bank.precharge, column + part.trtp);
    if (i >= last_two) rules::record_command(state, part, {column, place.group, sequence.port, false}, column);
  }
  state.row_hits += edges.count;
  state.turnarounds += state.writing;
  state.writing = false;
  state.decided = edges.pick(edges.count - 1);
  return true;
}

bool stays_first(const BankedDdrState& state, const DdrPart& part, const rules::DdrQueue& reads,
                 const DdrRequest& next) {
  if (part.page_policy != contract::PagePolicy::open || reads.size == 0) return false;
  const DdrRequest& read = reads.requests[0];
  if (reads.size > 1) {
    const contract::DdrPlace& turn = reads.requests[reads.size - 2].place;
    return turn.bank == next.place.bank && turn.row == next.place.row;
  }
  if (read.place.bank == next.place.bank) return true;
  return hits(state, read) && hits(state, next) &&
         first_plan(state, part, read).column <= first_plan(state, part, next).column;
}

}  // namespace fansim::timing::trains
