// SPDX-License-Identifier: Apache-2.0
#include "timing/fixed_memory.h"

#include <algorithm>

namespace fansim::timing {

FixedMemory::FixedMemory(const arch::DdrConfig& config) : config_(rules::effective(config)) {
  rules::quiesce(state_, config_, 0);
}

bool FixedMemory::next(MemoryEvent& event) {
  if (response_due_) {
    response_due_ = false;
    event = {MemoryEvent::Kind::response, response_, 0};
    return true;
  }
  while (!reads_.empty() || !writes_.empty()) {
    rules::Requests heads;
    Edge arrival = kNever;
    if (!reads_.empty()) heads.read = reads_.front(), arrival = heads.read.arrival;
    if (!writes_.empty()) heads.write = writes_.front(), arrival = std::min(arrival, heads.write.arrival);
    const Edge edge = std::max(state_.bus_free, arrival + 1);
    wait_until(edge);
    const rules::Pick pick = rules::pick(state_, config_, heads, edge);
    if (pick.direction == rules::Direction::read) {
      const Edge last = pick.data + heads.read.beats - 1;
      waits_.add(std::max(edge, waited_), pick.start, rules::ReadWait::turnaround);
      waits_.add(std::max({edge, waited_, pick.start}), last, rules::ReadWait::none);
      sent_ = waited_ = last;
      reads_.pop();
      event = {MemoryEvent::Kind::read_data, pick.data, heads.read.beats};
      return true;
    }
    if (pick.direction == rules::Direction::write) {
      response_due_ = true;
      response_ = pick.start + heads.write.beats - 1 + config_.write_latency;
      writes_.pop();
      event = {MemoryEvent::Kind::write_data, pick.start, heads.write.beats};
      return true;
    }
  }
  return false;
}

// The oldest read is outstanding from its arrival on, or once the last beat of the one before has been sent.
void FixedMemory::wait_until(Edge edge) {
  if (reads_.empty()) return;
  const rules::Request& read = reads_.front();
  Edge from = std::max({read.arrival, sent_, waited_});
  while (from < edge) {
    Edge to = edge;
    for (const Edge change : {read.arrival + 1, state_.burst_start, state_.burst_end, state_.refresh_end})
      if (change > from) to = std::min(to, change);
    waits_.add(from, to, rules::why(state_, read, from));
    from = to;
  }
  waited_ = std::max(waited_, from);
}

}  // namespace fansim::timing
