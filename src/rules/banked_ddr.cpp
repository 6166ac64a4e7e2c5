// SPDX-License-Identifier: Apache-2.0
#include "rules/banked_ddr.h"

#include <algorithm>
#include <utility>

#include "rules/ddr_plan.h"

namespace fansim::rules {
namespace {

using contract::DdrPart;
using Edge = std::int64_t;

constexpr Edge kNever = DdrPick::kNever;

int arrived(const DdrQueue& queue, Edge edge) {
  int count = queue.size;
  while (count > 0 && queue.requests[count - 1].arrival >= edge) --count;
  return count;
}

// The next edge at which a queue looks different by itself: an arrival is seen, or the oldest begins to starve.
Edge next_change(const DdrQueue& queue, int arrived, const DdrPart& part, Edge edge) {
  const Edge arrival = arrived < queue.size ? queue.requests[arrived].arrival + 1 : kNever;
  const Edge starves = arrived > 0 ? queue.requests[0].arrival + part.starvation_bound + 1 : kNever;
  return starves > edge ? std::min(arrival, starves) : arrival;
}

bool starves(const DdrQueue& queue, int count, const DdrPart& part, Edge edge) {
  return count > 0 && edge - queue.requests[0].arrival > part.starvation_bound;
}

// Edge from which writes of which the oldest came at `arrival` have starved.
Edge starved(const BankedDdrState& state, const DdrPart& part, Edge arrival) {
  return std::max(state.last_write, arrival) + part.write_starve + 1;
}

// `writes` of them, more than none, wait at `edge`, the oldest since `arrival`: whether they go before reads.
bool writes_due(const BankedDdrState& state, const DdrPart& part, int writes, Edge arrival, Edge edge) {
  if (part.write_starve == 0) return state.writing ? writes > part.write_low : writes >= part.write_high;
  return state.writing ? state.run < part.write_run : edge >= starved(state, part, arrival);
}

// Reads go first; writes once many wait, one starves or no read waits, and then down to a few.
bool choose_writes(const BankedDdrState& state, const DdrPart& part, const DdrHeads& heads, int reads, int writes,
                   Edge edge) {
  if (reads == 0 || writes == 0) return reads == 0;
  const bool read_starves = starves(heads.reads, reads, part, edge);
  const bool write_starves = starves(heads.writes, writes, part, edge);
  if (read_starves || write_starves)
    return write_starves && (!read_starves || heads.writes.requests[0].arrival < heads.reads.requests[0].arrival);
  return writes_due(state, part, writes, heads.writes.requests[0].arrival, edge);
}

struct Choice {
  int index = -1;
  bool overtakes = false;  // an older access to another row of the bank
  bool due = false;        // it is taken now, or else it is the first to be due if all candidates hit
  bool all_hit = true;
  DdrPlan plan;
  Edge next = kNever;  // when a candidate may be taken
};

struct Candidate {
  int index;
  bool overtakes;
};

struct Candidates {
  std::uint32_t banks = 0;  // that have one
  std::array<Candidate, DdrPart::kMaxBanks> of_bank;
};

// One per bank: its oldest hit; its oldest access where none hits, hits have overtaken that one often enough or many
// wait.
void find_candidates(const BankedDdrState& state, const DdrPart& part, const DdrQueue& queue, int count, bool write,
                     Candidates& result) {
  const int crowd = write ? part.write_crowd : part.read_crowd;
  const bool crowded = crowd > 0 && count >= crowd;
  std::uint32_t settled = 0;  // banks
  for (int i = 0; i < count && (queue.banks & ~settled) != 0; ++i) {
    const contract::DdrPlace& place = queue.requests[i].place;
    const auto index = static_cast<std::size_t>(place.bank);
    if (settled >> index & 1) continue;
    const DdrBank& bank = state.banks[index];
    const bool hit = bank.row == place.row;
    const bool another = result.banks >> index & 1;
    if (hit || !another) result.of_bank[index] = {i, another};
    if (hit || crowded || bank.overtakings >= part.row_hit_limit) settled |= 1U << index;
    result.banks |= 1U << index;
  }
}

// First ready, first come: the access whose column command can be earliest, among equals the oldest. A hit is taken
// when its column command is due; an access that must open its row tRP + tRCD before, the latest edge at which that
// costs nothing. The oldest, once it has waited long enough, is the only one to be looked at.
Choice choose(const BankedDdrState& state, const DdrPart& part, const DdrQueue& queue, int count, bool write,
              Edge edge) {
  Candidates candidates;
  find_candidates(state, part, queue, starves(queue, count, part, edge) ? 1 : count, write, candidates);
  Choice best;
  for (std::uint32_t banks = candidates.banks; banks != 0; banks &= banks - 1) {
    const Candidate& candidate = candidates.of_bank[static_cast<std::size_t>(__builtin_ctz(banks))];
    const DdrPlan plan = plan_access(state, part, queue.requests[candidate.index], write, edge);
    const Edge take = plan.hit ? plan.column : plan.column - part.trp - part.trcd;
    const bool due = take <= edge;
    best.next = std::min(best.next, take);
    best.all_hit &= plan.hit;
    const bool sooner =
        plan.column < best.plan.column || (plan.column == best.plan.column && candidate.index < best.index);
    if (best.index >= 0 && (due != best.due ? best.due : !sooner)) continue;
    best.index = candidate.index;
    best.overtakes = candidate.overtakes;
    best.due = due;
    best.plan = plan;
  }
  return best;
}

void count_row(BankedDdrState& state, const DdrBank& bank, const DdrPlan& plan) {
  if (plan.hit)
    ++state.row_hits;
  else if (bank.row < 0)
    ++state.row_misses;
  else
    ++state.row_conflicts;
}

// Another waiting access wants the row that this one leaves open.
bool wanted(const DdrQueue& queue, const DdrRequest& request) {
  return std::any_of(queue.requests, queue.requests + queue.size, [&](const DdrRequest& other) {
    return &other != &request && other.place.bank == request.place.bank && other.place.row == request.place.row;
  });
}

// True: with auto-precharge.
bool commit(BankedDdrState& state, const DdrPart& part, const DdrHeads& heads, const DdrRequest& request, bool write,
            const Choice& choice) {
  const DdrPlan& plan = choice.plan;
  DdrBank& bank = state.banks[static_cast<std::size_t>(request.place.bank)];
  if (!plan.hit) {
    std::rotate(state.activates.begin(), state.activates.begin() + 1, state.activates.end());
    state.activates.back() = plan.activate;
    state.group_activates[static_cast<std::size_t>(request.place.group)] = plan.activate;
    bank = {request.place.row, 0, plan.activate + part.trcd, plan.activate + part.tras, plan.activate + part.trc};
  }
  bank.overtakings += choice.overtakes;
  const Edge recovered = write ? plan.column + part.cwl + part.burst_clocks() + part.twr : plan.column + part.trtp;
  bank.precharge = std::max(bank.precharge, recovered);
  if (part.page_policy == contract::PagePolicy::open) return false;
  if (part.page_policy == contract::PagePolicy::adaptive &&
      (wanted(heads.reads, request) || wanted(heads.writes, request)))
    return false;
  bank.row = -1;
  bank.activate = std::max(bank.activate, bank.precharge + part.trp);
  return true;
}

void take(BankedDdrState& state, const DdrPart& part, const DdrHeads& heads, const DdrRequest& request, bool write,
          const Choice& choice, Edge edge, DdrPick& result) {
  const DdrPlan& plan = choice.plan;
  count_row(state, state.banks[static_cast<std::size_t>(request.place.bank)], plan);
  result.closes = commit(state, part, heads, request, write, choice);
  record_command(state, part, {plan.column, request.place.group, request.port, write}, edge);
  state.run = state.writing == write ? state.run + 1 : 1;
  state.turnarounds += state.writing != write;
  state.writing = write;
  if (write) state.last_write = edge;
  state.decided = edge;

  result.found = true;
  result.edge = edge;
  result.write = write;
  result.index = choice.index;
  result.id = request.id;
  result.port = request.port;
  result.precharge = plan.precharge;
  result.activate = plan.activate;
  result.row_ready = plan.row_ready;
  result.column = plan.column;
  result.wait = plan.wait;
  result.data = plan.column + (write ? part.cwl : part.cl);
  result.end = result.data + part.burst_clocks();
}

}  // namespace

void quiesce(BankedDdrState& state, const DdrPart& part, Edge edge) {
  refresh(state, part, edge - 1);
  state.banks.fill({-1, 0, edge, edge, edge});
  state.command_count = 0;
  state.activates.fill(edge - part.tfaw);
  state.group_activates.fill(edge - part.tfaw);
  state.decided = edge - 1;
  state.writing = false;
  state.run = 0;
  state.last_write = edge;
  state.refresh_due = edge + part.trefi;
  state.refresh_start = state.refresh_end = edge;
}

void refresh(BankedDdrState& state, const DdrPart& part, Edge edge) {
  if (part.trfc == 0) return;
  while (state.refresh_due <= edge) {
    Edge start = state.refresh_due;
    bool open = false;
    for (const DdrBank& bank : state.banks) {
      open |= bank.row >= 0;
      start = std::max(start, bank.row >= 0 ? bank.precharge : bank.activate);
    }
    state.refresh_start = start;
    state.refresh_end = start + (open ? part.trp : 0) + part.trfc;
    state.banks.fill({-1, 0, state.refresh_end, state.refresh_end, state.refresh_end});
    state.refresh_due += part.trefi;
    ++state.refreshes;
  }
}

DdrPick pick(BankedDdrState& state, const DdrPart& part, const DdrHeads& heads, Edge edge, Edge until) {
  DdrPick result;
  result.edge = edge;
  if (edge <= state.decided) {
    result.next = state.decided + 1;
    return result;
  }
  refresh(state, part, edge);
  const int reads = arrived(heads.reads, edge);
  const int writes = arrived(heads.writes, edge);
  result.next = std::min(next_change(heads.reads, reads, part, edge), next_change(heads.writes, writes, part, edge));
  if (part.write_starve > 0 && writes > 0) {
    const Edge due = starved(state, part, heads.writes.requests[0].arrival);
    if (due > edge) result.next = std::min(result.next, due);
  }
  if (reads + writes == 0) return result;

  result.write = choose_writes(state, part, heads, reads, writes, edge);
  const DdrQueue& queue = result.write ? heads.writes : heads.reads;
  Choice choice = choose(state, part, queue, result.write ? writes : reads, result.write, edge);
  if (!choice.due) {
    const Edge changes = part.trfc > 0 ? std::min(result.next, state.refresh_due) : result.next;
    result.next = std::min(changes, choice.next);
    if (!choice.all_hit || choice.next >= changes || choice.next > until) return result;
    edge = choice.next;
    choice.plan.row_ready = edge;
    choice.plan.wait = ReadWait::none;
  }
  take(state, part, heads, queue.requests[choice.index], result.write, choice, edge, result);
  return result;
}

ReadWait why(const BankedDdrState& state, const DdrPart& part, const DdrHeads& heads, const DdrRequest& read,
             Edge edge) {
  if (edge < state.refresh_end) return ReadWait::refresh;
  const int writes = arrived(heads.writes, edge);
  if (writes > 0 && choose_writes(state, part, heads, arrived(heads.reads, edge), writes, edge))
    return ReadWait::arbitration;
  const DdrCommand* last =
      state.command_count > 0 ? &state.commands[static_cast<std::size_t>(state.command_count - 1)] : nullptr;
  if (last != nullptr && last->write && edge < last->edge) return ReadWait::arbitration;
  const DdrPlan plan = plan_access(state, part, read, false, edge);
  return plan.row_ready > edge ? ReadWait::row_miss : plan.wait;
}

}  // namespace fansim::rules
