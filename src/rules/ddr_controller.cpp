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

void DdrController::quiesce(std::int64_t edge) {
  rules::quiesce(state_, part_, edge);
  next_ = DdrPick::kNever;
}

}  // namespace fansim::rules
