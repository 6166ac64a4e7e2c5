// SPDX-License-Identifier: Apache-2.0
#include "rules/ddr_controller.h"

#include <algorithm>

namespace fansim::rules {

DdrController::DdrController(const arch::DdrPart& part) : part_(part) {
  reads_.reserve(static_cast<std::size_t>(part.read_queue));
  writes_.reserve(static_cast<std::size_t>(part.write_queue));
  rules::quiesce(state_, part_, 0);
}

bool DdrController::can_push(bool write) const {
  return write ? writes_.size() < static_cast<std::size_t>(part_.write_queue)
               : reads_.size() < static_cast<std::size_t>(part_.read_queue);
}

void DdrController::push(bool write, const DdrRequest& request) {
  (write ? writes_ : reads_).push_back(request);
  next_ = std::min(next_, request.arrival + 1);
}

DdrHeads DdrController::heads() const {
  return {{reads_.data(), static_cast<int>(reads_.size())}, {writes_.data(), static_cast<int>(writes_.size())}};
}

ReadWait DdrController::why(const DdrRequest& read, std::int64_t edge) const {
  return rules::why(state_, part_, heads(), read, edge);
}

DdrPick DdrController::decide(std::int64_t until) {
  while (next_ <= until) {
    const DdrPick result = pick(state_, part_, heads(), next_);
    if (!result.found) {
      next_ = result.next;
      continue;
    }
    std::vector<DdrRequest>& queue = result.write ? writes_ : reads_;
    queue.erase(queue.begin() + result.index);
    next_ = empty() ? DdrPick::kNever : result.edge + 1;
    return result;
  }
  return {};
}

bool DdrController::decide_burst(const arch::DdrPlace* places, int count, std::int64_t arrival, std::int64_t until,
                                 std::int64_t* columns) {
  return empty() && count <= part_.read_queue && pick_burst(state_, part_, places, count, arrival, until, columns);
}

void DdrController::quiesce(std::int64_t edge) {
  rules::quiesce(state_, part_, edge);
  next_ = DdrPick::kNever;
}

}  // namespace fansim::rules
