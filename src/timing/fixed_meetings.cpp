// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "timing/fixed_memory.h"

// Writes that meet a running read.
namespace fansim::timing {

// The read's bursts follow each other at once: after each of them a write is decided on. At one edge the direction wins
// that was not served last.
bool FixedMemory::meets(Edge seen, Meeting& meeting) {
  const Port& port = ports_[0];
  if (!port.train || !port.writes.empty() || port.writing || read_waits(0).kept()) return false;
  const rules::FixedDdrLane& bus = state_[0];
  const rules::BurstStarts& starts = port.train->train.starts;
  const Edge arrives = port.train->train.arrival + 1;
  if (seen < arrives && bus.bus_free < arrives) return false;  // before the read
  Edge at = granted(arrives);
  std::int64_t beat = port.train->next, last = starts.beats() - 1;
  const bool turn = bus.last == rules::Direction::write;
  if (turn) at = std::max(at, bus.burst_end + config_.turnaround);
  const Edge from = std::max(seen, bus.last == rules::Direction::read ? at : at + 1);
  const Edge begin = at - beat;  // of the read's beat 0, had all come at once
  const bool behind = from > begin + starts.begin(starts.beats()) && begin + starts.beats() <= state_.refresh_due;
  if (const std::int64_t whole = starts.whole_from(); beat < whole) {
    if (from >= begin + whole)
      at = begin + whole, beat = whole;
    else
      last = starts.whole_until();
  }
  const std::int64_t beats = (std::max(from - at, Edge{0}) + starts.burst() - 1) & -starts.burst();
  if (beats == 0 && at > bus.burst_end && config_.turnaround > 0) return false;  // some of it is over
  meeting = {at + beats, beat + beats, last, port.trains, state_.refresh_due, behind};
  return true;
}

std::optional<std::int64_t> FixedMemory::met(const Meeting& meeting) const {
  const Port& port = ports_[0];
  if (!port.train || port.trains != meeting.read || port.train->next > meeting.last) return std::nullopt;
  if (state_.refresh_due != meeting.refresh_due || state_[0].burst_start >= state_.refresh_due) return std::nullopt;
  return port.train->next - meeting.beat;
}

bool FixedMemory::meet(const Meeting& meeting, std::int64_t beats, const WholeWrite& write) {
  if (meeting.beat + beats > meeting.last || write.last >= state_.refresh_due) return false;
  Running& running = *ports_[0].train;
  running.next = meeting.beat + beats;
  running.train.arrival = write.last - 1;
  state_[0] = {write.burst.to, write.burst.from, write.burst.to, rules::Direction::write, 0};
  return true;
}

}  // namespace fansim::timing
