// SPDX-License-Identifier: Apache-2.0
#include "timing/trains/fixed_trains.h"

#include <algorithm>
#include <tuple>

namespace fansim::timing::trains {

using rules::Direction;
using rules::ReadWait;

bool FixedTrains::read_all(ReadSink& sink, const ReadTrain& train) {
  if (!port().reads.empty() || config_.read_latency > train.longest_latency) return false;
  train_ = Running{train, &sink};
  ++trains_;
  return true;
}

rules::Request FixedTrains::next_of_train() const {
  const rules::BurstStarts& starts = train_->train.starts;
  return {train_->train.arrival, static_cast<int>(starts.end(train_->next) - train_->next), 0};
}

// While a train runs, its next burst is the port's oldest read.
bool FixedTrains::next() {
  if (!train_) return FixedMemory::next();
  if (port().writes.empty() && !port().writing && !read_waits(0).kept()) {
    run_train(turned(granted(train_->train.arrival + 1)));
    return true;
  }
  while (true) {
    const rules::Request read = next_of_train(), write = port().oldest_write();
    const Decision next = decision(0, read, write);
    look_at(0, read, next);
    const rules::Pick pick = rules::pick(state_, config_, read, write, next.edge);
    if (pick.direction == Direction::write) {
      grant_write(0, write.beats, pick.start);
      return true;
    }
    if (pick.direction == Direction::none) continue;  // a refresh comes first
    waits(0).add(port().waited, pick.start, ReadWait::turnaround);
    port().waited = std::max(port().waited, pick.start);
    if (run_train(pick.start)) return true;
  }
}

int FixedTrains::decide(const bool& stirred, int most) {
  int made = 0;
  while (made < most && next()) {
    ++made;
    if (stirred) break;
  }
  return made;
}

// The first edge from `edge` on at which no refresh keeps a burst from being granted.
Edge FixedTrains::granted(Edge edge) {
  while (true) {
    edge = std::max(edge, bus().bus_free);
    rules::refresh(state_, config_, edge);
    if (bus().bus_free <= edge && edge < state_.refresh_due) return edge;
  }
}

// Where a read that is granted at `edge` begins.
Edge FixedTrains::turned(Edge edge) {
  const bool turn = bus().last == Direction::write;
  bus().last = Direction::read;
  state_.turnarounds += turn;
  return turn ? std::max(edge, bus().burst_end + config_.turnaround) : edge;
}

// Nothing is outstanding, and no waits are recorded.
bool FixedTrains::quiet() const {
  return port().reads.empty() && !train_ && port().writes.empty() && !port().writing && !read_waits(0).kept();
}

// Grants bursts from the one that begins with beat `first` on, whose grant holds from `start` on, until a write is seen
// at `write` or all are granted. Bursts follow each other at once, but for refreshes: the burst behind a refresh waits
// for it from the last beat of the burst before on. Returns the first beat that is left.
std::int64_t FixedTrains::grant_bursts(const rules::BurstStarts& starts, std::int64_t first, Edge start, Edge write) {
  Edge begin = start - first;  // where beat 0 would be, had all come at once
  std::int64_t next = starts.end(first);
  while (true) {
    next = std::max(next, std::min(starts.from(std::min(state_.refresh_due, write) - begin), starts.beats()));
    bus().bus_free = bus().burst_end = begin + next;
    bus().burst_start = begin + starts.begin(next);
    const Edge last = bus().burst_end + config_.read_latency - 1;
    waits(0).add(port().waited, last, ReadWait::none);
    port().waited = last;
    if (next == starts.beats() || bus().bus_free >= write) return next;
    const Edge grant = granted(bus().bus_free);
    if (grant >= write) return next;
    waits(0).add(last, grant, ReadWait::refresh);
    port().waited = std::max(last, grant);
    begin = grant - next;
  }
}

// Grants the train's bursts up to the next write or the end. Returns whether that was the end: then its sink is told.
bool FixedTrains::run_train(Edge start) {
  const Edge write = port().writes.empty() ? kNever : port().writes.front().request.arrival + 1;
  Running& running = *train_;
  running.next = grant_bursts(running.train.starts, running.next, start, write);
  running.train.arrival = bus().burst_end - 1;
  if (running.next < running.train.starts.beats()) return false;
  ReadSink& sink = *running.sink;
  const int beats = static_cast<int>(bus().burst_end - bus().burst_start);
  train_.reset();
  sink.data(beats, bus().burst_start + config_.read_latency);
  return true;
}

// If the grant of a burst meets a refresh or a write, the state is put back.
Edge FixedTrains::read_whole(const ReadTrain& train, Edge before) {
  const Edge seen = train.arrival + 1;
  if (!quiet() || config_.read_latency > train.longest_latency || seen >= before) return kNever;
  rules::refresh(state_, config_, seen);
  const rules::BurstStarts& starts = train.starts;
  const Edge free = std::max(seen, bus().bus_free);
  if (const Edge end = free + config_.turnaround + starts.beats(); end <= before && end <= state_.refresh_due) {
    const Edge begin = turned(free);
    bus().bus_free = bus().burst_end = begin + starts.beats();
    bus().burst_start = begin + starts.begin(starts.beats());
    return bus().bus_free;
  }
  auto all = std::tie(bus(), state_.refresh_due, state_.refresh_end, state_.refreshes, state_.turnarounds);
  const auto undone =
      std::make_tuple(bus(), state_.refresh_due, state_.refresh_end, state_.refreshes, state_.turnarounds);
  const Edge grant = granted(seen);
  if (grant < before && grant_bursts(starts, 0, turned(grant), before) == starts.beats()) return bus().bus_free;
  all = undone;
  return kNever;
}

// A refresh that is over by a read's grant leaves the read as it is, and so does one that is due once the bus is free
// again. Each refresh begins as soon as it is due and the bus is free.
std::int64_t FixedTrains::repeat_reads(const std::vector<Span>& reads, Edge period, std::int64_t most) {
  if (!quiet() || (bus().last == Direction::write && config_.turnaround > 0)) return 0;
  if (reads.empty()) return most;
  if (bus().bus_free > reads.front().from) return 0;
  Edge due = state_.refresh_due, end = state_.refresh_end, free = bus().bus_free;
  std::int64_t times = 0;
  for (Edge by = 0; times < most; ++times, by += period) {
    Edge next_due = due, next_end = end;
    bool met = false;
    for (const Span& read : reads) {
      for (Edge begin; (begin = std::max(next_due, free)) + config_.refresh_cycles <= read.from + by;) {
        free = next_end = begin + config_.refresh_cycles;
        next_due += config_.refresh_interval;
      }
      met = met || next_due < read.to + by;
      free = read.to + by;
    }
    if (met) break;
    due = next_due;
    end = next_end;
  }
  if (times == 0) return 0;
  state_.refreshes += (due - state_.refresh_due) / config_.refresh_interval;
  state_.refresh_due = due;
  state_.refresh_end = end;
  const Edge by = (times - 1) * period;
  bus().last = Direction::read;
  bus().burst_start = reads.back().from + by;  // of the whole read: nobody asks for its last burst's
  bus().bus_free = bus().burst_end = reads.back().to + by;
  return times;
}

// Until the next refresh, and until a write is seen.
std::int64_t FixedTrains::repeatable(Edge period) const {
  if (bus().last != Direction::read) return 0;
  Edge last = state_.refresh_due - 1;
  if (!port().writes.empty()) last = std::min(last, port().writes.front().request.arrival);
  return (last - bus().burst_start) / period;
}

}  // namespace fansim::timing::trains
