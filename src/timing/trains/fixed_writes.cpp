// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "timing/trains/fixed_trains.h"

// Whole writes: on a quiet bus, and between the bursts of a running read.
namespace fansim::timing::trains {

using rules::Direction;

// A read that arrives no sooner than a decision is seen behind it.
Edge FixedTrains::quiet_until(Edge first, Edge read_arrives) {
  const Edge arrives = std::min(read_arrives, train_ ? train_->train.arrival : port().oldest_read().arrival);
  if (arrives < first) return kLongAgo;
  rules::refresh(state_, config_, first);
  const Edge turned = bus().last == Direction::read ? bus().burst_end + config_.turnaround : kLongAgo;
  return std::max(bus().bus_free, turned) > first ? kLongAgo : std::min(arrives, state_.refresh_due - 1);
}

void FixedTrains::write_all(const WriteOnBus& last) {
  bus() = {last.burst.to, last.burst.from, last.burst.to, Direction::write, 0};
}

// The read's bursts follow each other at once, and a write is decided on after each of them. At one edge the direction
// wins that was not served last.
bool FixedTrains::meets(Edge seen, Meeting& meeting) {
  if (!train_ || !port().writes.empty() || port().writing || read_waits(0).kept()) return false;
  const rules::BurstStarts& starts = train_->train.starts;
  const Edge arrives = train_->train.arrival + 1;
  if (seen < arrives && bus().bus_free < arrives) return false;  // before the read
  Edge at = granted(arrives);
  std::int64_t beat = train_->next, last = starts.beats() - 1;
  const bool turn = bus().last == Direction::write;
  if (turn) at = std::max(at, bus().burst_end + config_.turnaround);
  const Edge from = std::max(seen, bus().last == Direction::read ? at : at + 1);
  const Edge begin = at - beat;  // where beat 0 would be, had all come at once
  const bool behind = from > begin + starts.begin(starts.beats()) && begin + starts.beats() <= state_.refresh_due;
  if (const std::int64_t whole = starts.whole_from(); beat < whole) {
    if (from >= begin + whole) {
      at = begin + whole;
      beat = whole;
    } else {
      last = starts.whole_until();
    }
  }
  const std::int64_t beats = (std::max(from - at, Edge{0}) + starts.burst() - 1) & -starts.burst();
  if (beats == 0 && at > bus().burst_end && config_.turnaround > 0) return false;  // part of the turnaround is over
  meeting = {at + beats, beat + beats, last, trains_, state_.refresh_due, behind};
  return true;
}

std::optional<std::int64_t> FixedTrains::met(const Meeting& meeting) const {
  if (!train_ || trains_ != meeting.train || train_->next > meeting.last) return std::nullopt;
  if (state_.refresh_due != meeting.refresh_due || bus().burst_start >= state_.refresh_due) return std::nullopt;
  return train_->next - meeting.beat;
}

bool FixedTrains::meet(const Meeting& meeting, std::int64_t beats, const WriteOnBus& write) {
  if (meeting.beat + beats > meeting.last || write.last >= state_.refresh_due) return false;
  train_->next = meeting.beat + beats;
  train_->train.arrival = write.last - 1;
  write_all(write);
  return true;
}

}  // namespace fansim::timing::trains
