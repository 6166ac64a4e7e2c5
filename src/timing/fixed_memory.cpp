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

// A refresh between two decisions makes them different, whatever else they leave alike.
void FixedMemory::describe(std::vector<Edge>& state) const {
  const Edge origin = state_.bus_free;
  state.insert(state.end(),
               {state_.burst_start - origin, state_.burst_end - origin, sent_ - origin, waited_ - origin,
                static_cast<Edge>(waits_.all().size()), state_.refreshes, static_cast<Edge>(reads_.size())});
  for (std::size_t i = 0; i < reads_.size(); ++i)
    state.insert(state.end(), {reads_[i].arrival - origin, reads_[i].beats});
}

// Until the next refresh, and until a write is seen.
std::int64_t FixedMemory::repeatable(Edge period) const {
  if (response_due_ || state_.last != rules::Direction::read) return 0;
  Edge last = config_.refresh_cycles > 0 ? state_.refresh_due - 1 : kNever;
  if (!writes_.empty()) last = std::min(last, writes_.front().arrival);
  return (last - state_.burst_start) / period;
}

void FixedMemory::skip(std::int64_t bursts, Edge period) {
  const Edge by = bursts * period;
  state_.bus_free += by, state_.burst_start += by, state_.burst_end += by;
  sent_ += by, waited_ += by;
  for (std::size_t i = 0; i < reads_.size(); ++i) reads_[i].arrival += by;
  waits_.extend(by);
}

}  // namespace fansim::timing
