// SPDX-License-Identifier: Apache-2.0
#include "rules/ddr_controller.h"

#include <algorithm>

namespace fansim::rules {

DdrController::DdrController(const contract::DdrPart& part)
    : part_(part), reads_(part.read_queue), writes_(part.write_queue) {
  rules::quiesce(state_, part_, 0);
}

void DdrController::push(bool write, const DdrRequest& request) {
  (write ? writes_ : reads_).push(request);
  next_ = std::min(next_, request.arrival + 1);
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

// Its row is open, and no write is ahead of it.
bool DdrController::waits_in_order(std::int64_t seen) const {
  if (reads_.empty() || !reads_.in_order() || !writes_.empty()) return false;
  const DdrRequest& read = waiting(0);
  const DdrBank& bank = state_.banks[static_cast<std::size_t>(read.place.bank)];
  const std::int64_t from = std::max(seen, read.arrival + 1);
  if (bank.row != read.place.row || bank.column > from) return false;
  if (state_.command_count == 0) return true;
  const DdrCommand& last = state_.commands[static_cast<std::size_t>(state_.command_count - 1)];
  return !last.write || last.edge <= from;
}

// All have come before their turns, and have waited for nothing but each other.
bool DdrController::decide_waiting(DdrRun run, std::int64_t until, DdrColumns& columns) {
  const DdrQueue queue = reads_.queue();
  const DdrRequest* const read = queue.requests;
  const int waiting = std::min(run.count, queue.size);
  for (int i = 1; i < queue.size && i < std::max(2, run.count); ++i)
    if (read[i].arrival > due() + (i == 1 ? 0 : i) || read[i].port != read->port) return false;
  for (int i = 0; i < std::min(2, queue.size); ++i) run.places[static_cast<std::size_t>(i)] = read[i].place;
  run.arrival = read->arrival, run.port = read->port;
  if (!pick_run(state_, part_, run, true, until, columns)) return false;
  reads_.drop(waiting);
  next_ = empty() ? DdrPick::kNever : state_.decided + 1;
  return true;
}

void DdrController::quiesce(std::int64_t edge) {
  rules::quiesce(state_, part_, edge);
  next_ = DdrPick::kNever;
}

}  // namespace fansim::rules
