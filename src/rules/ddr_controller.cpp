// SPDX-License-Identifier: Apache-2.0
#include "rules/ddr_controller.h"

#include <algorithm>

namespace fansim::rules {

DdrController::DdrController(const contract::DdrPart& part)
    : part_(part), reads_(part.read_queue), writes_(part.write_queue) {
  rules::quiesce(state_, part_, 0);
}

// A read behind another one to its row changes no pick before that one's, unless reads become a crowd.
void DdrController::push(bool write, const DdrRequest& request) {
  DdrBacklog& queue = write ? writes_ : reads_;
  if (write || !queue.has_row(request.place) || queue.size() + 1 == part_.read_crowd)
    next_ = std::min(next_, request.arrival + 1);
  queue.push(request);
}

ReadWait DdrController::why(const DdrRequest& read, std::int64_t edge) const {
  return rules::why(state_, part_, heads(), read, edge);
}

DdrPick DdrController::decide(std::int64_t until) {
  while (next_ <= until) {
    const DdrPick result = pick(state_, part_, heads(), next_, until);
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

void DdrController::drop_reads(int count) {
  for (int i = 0; i < count; ++i) reads_.erase(0);
  next_ = empty() ? DdrPick::kNever : state_.decided + 1;
}

void DdrController::quiesce(std::int64_t edge) {
  rules::quiesce(state_, part_, edge);
  next_ = DdrPick::kNever;
}

}  // namespace fansim::rules
