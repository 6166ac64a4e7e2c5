// SPDX-License-Identifier: Apache-2.0
#include "rules/ddr_controller.h"

#include <algorithm>

namespace fansim::rules {

DdrController::DdrController(const contract::DdrPart& part)
    : part_(part), reads_(part.read_queue), writes_(part.write_queue) {
  rules::quiesce(state_, part_, 0);
}

void DdrController::push(bool write, const DdrRequest& request) {
  if (write || reads_.size() < 2 || !stays_first(request)) next_ = std::min(next_, request.arrival + 1);
  (write ? writes_ : reads_).push(request);
}

ReadWait DdrController::why(const DdrRequest& read, std::int64_t edge) const {
  return rules::why(state_, part_, heads(), read, edge);
}

DdrPick DdrController::decide(std::int64_t until) {
  while (next_ <= until) {
    DdrPick result;
    if (!reads_.simple() || !pick_hit(state_, part_, heads(), until, result))
      result = pick(state_, part_, heads(), next_);
    if (!result.found) {
      next_ = result.next;
      continue;
    }
    (result.write ? writes_ : reads_).erase(result.index);
    next_ = empty() ? DdrPick::kNever : result.edge + 1;
    return result;
  }
  return {};
}

// The first one's row is open, and no write is ahead of it.
int DdrController::waiting_in_order(std::int64_t seen) const {
  if (reads_.empty() || !writes_.empty()) return 0;
  const DdrRequest& read = waiting(0);
  const std::int64_t from = std::max(seen, read.arrival + 1);
  if (bank(read.place).row != read.place.row || bank(read.place).column > from) return 0;
  if (state_.command_count > 0) {
    const DdrCommand& last = state_.commands[static_cast<std::size_t>(state_.command_count - 1)];
    if (last.write && last.edge > from) return 0;
  }
  return in_order() ? static_cast<int>(reads_.size()) : waiting_in_turns();
}

// Reads to open rows of two groups: of each group the oldest goes first, as none comes sooner. The first ones that go
// to these in turns are as good as in order, and the others wait for them.
int DdrController::waiting_in_turns() const {
  const int turns = reads_.first_in_turns();
  int first = 0;
  while (first < turns && bank(waiting(first).place).column <= state_.decided + std::max(1, first)) ++first;
  if (first < 2) return 0;
  const DdrQueue queue = reads_.queue();
  const bool open = std::all_of(queue.requests, queue.requests + queue.size,
                                [&](const DdrRequest& read) { return keeps_to_turns(read.place); });
  return open ? first : 0;
}

// All have come before their turns, and have waited for nothing but each other.
bool DdrController::decide_waiting(DdrRun run, std::int64_t until, DdrColumns& columns) {
  run.waiting = reads_.queue();
  const DdrRequest* const read = run.waiting.requests;
  const int most = std::max(2, run.count + run.followed);
  for (int i = 1; i < run.waiting.size; ++i)
    if ((i < most && read[i].arrival > due(i)) || read[i].port != read->port) return false;
  run.arrival = read->arrival, run.port = read->port;
  if (!pick_run(state_, part_, run, true, until, columns)) return false;
  reads_.drop(std::min(columns.count, run.waiting.size));
  next_ = empty() ? DdrPick::kNever : state_.decided + 1;
  return true;
}

void DdrController::quiesce(std::int64_t edge) {
  rules::quiesce(state_, part_, edge);
  next_ = DdrPick::kNever;
}

}  // namespace fansim::rules
