// SPDX-License-Identifier: Apache-2.0
#include "timing/fixed_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace fansim::timing {

static_assert(rules::Request::kNever == kNever);

FixedMemory::FixedMemory(const contract::DdrConfig& config, int beat_bytes, int ports)
    : config_(rules::effective(config)),
      count_(ports),
      lanes_(rules::lanes(config, beat_bytes * 8, ports)),
      state_(lanes_, rules::pace_of(config, beat_bytes * 8)) {
  if (config_.refresh_cycles >= config_.refresh_interval)  // no decision would ever be reached
    throw std::invalid_argument(fmt::format("timing: refreshes of {} cycles every {} leave the memory none",
                                            int{config_.refresh_cycles}, int{config_.refresh_interval}));
  rules::quiesce(state_, config_, 0);
}

void FixedMemory::read(int port, ReadSink& sink, Edge accepted, std::uint32_t, int beats) {
  ports_[static_cast<std::size_t>(port)].reads.push({{accepted, beats, port}, &sink});
}

void FixedMemory::write(int port, WriteSource& source, Edge accepted, std::uint32_t, int beats) {
  ports_[static_cast<std::size_t>(port)].writes.push({{accepted, beats, port}, &source});
}

// Beats that came late held the lane.
void FixedMemory::written(int number, int beats, Edge popped) {
  Port& port = ports_[static_cast<std::size_t>(number)];
  if ((port.to_write -= beats) > 0) return;
  const Edge last = popped + beats - 1;
  rules::FixedDdrLane& lane = state_[lane_of(number)];
  lane.bus_free = lane.burst_end = last + 1;
  WriteSource& source = *port.writing;
  port.writing = nullptr;
  source.respond(last + config_.write_latency);
}

// The requests at the head of each direction of a lane.
rules::Requests FixedMemory::heads(int lane) const {
  rules::Requests heads;
  for (int number = 0; number < count_; ++number) {
    if (lane_of(number) != lane) continue;
    const Port& port = ports_[static_cast<std::size_t>(number)];
    heads.read = rules::older(heads.read, port.oldest_read());
    heads.write = rules::older(heads.write, port.oldest_write());
  }
  return heads;
}

FixedMemory::Decision FixedMemory::decision(int lane, const rules::Request& read, const rules::Request& write) const {
  const Edge arrival = std::min(read.arrival, write.arrival);
  return {lane, arrival == kNever ? kNever : rules::decides(state_, arrival + 1, lane)};
}

void FixedMemory::refuse_decision(int number, const Decision& next) const {
  throw std::logic_error(fmt::format("timing: port {} decides at edge {} while a write lacks {} beats", number,
                                     next.edge, ports_[static_cast<std::size_t>(number)].to_write));
}

// The oldest read is outstanding from its arrival on, or once the last beat of the read before it has been sent.
void FixedMemory::record_waits(int number, const rules::Request& read, Edge until) {
  if (read.arrival == kNever) return;
  Port& port = ports_[static_cast<std::size_t>(number)];
  const int lane = lane_of(number);
  const rules::FixedDdrLane& bus = state_[lane];
  Edge from = std::max(read.arrival, port.waited);
  if (from >= until) return;
  while (from < until) {
    Edge to = until;
    for (const Edge change : {read.arrival + 1, bus.burst_start - bus.others, bus.burst_start, bus.burst_end,
                              state_.refresh_end, state_.refresh_due})
      if (change > from) to = std::min(to, change);
    waits(number).add(from, to, rules::why(state_, read, from, lane));
    from = to;
  }
  port.waited = from;
}

void FixedMemory::grant_read(int number, int beats, const rules::Pick& pick) {
  Port& port = ports_[static_cast<std::size_t>(number)];
  const Edge last = port.reads.pop().sink->data(beats, pick.data);
  waits(number).add(port.waited, pick.others, rules::ReadWait::turnaround);
  waits(number).add(std::max(port.waited, pick.others), pick.start, rules::why_others(state_));
  waits(number).add(std::max(port.waited, pick.start), last, rules::ReadWait::none);
  port.waited = last;
}

void FixedMemory::grant_write(int number, int beats, Edge start) {
  Port& port = ports_[static_cast<std::size_t>(number)];
  port.writing = port.writes.pop().source;
  port.to_write = beats;
  port.writing->take(start);
}

inline FixedMemory::Made FixedMemory::make(const Decision& next, const rules::Request& read,
                                           const rules::Request& write) {
  const int beats_read = read.beats, beats_written = write.beats;
  const rules::Pick pick = rules::pick(state_, config_, read, write, next.edge, next.lane);
  if (pick.direction == rules::Direction::none) return Made::refresh;
  if (pick.direction == rules::Direction::read)
    grant_read(pick.port, beats_read, pick);
  else
    grant_write(pick.port, beats_written, pick.start);
  return Made::grant;
}

// The lane that decides first makes its decision; with one port there is one lane.
inline FixedMemory::Made FixedMemory::decide_first() {
  if (count_ == 1) {
    const rules::Request &read = ports_[0].oldest_read(), &write = ports_[0].oldest_write();
    const Decision next = decision(0, read, write);
    if (next.edge == kNever) return Made::nothing;
    look_at(0, read, next);
    return make(next, read, write);
  }
  rules::Requests heads = this->heads(0);
  Decision first = decision(0, heads.read, heads.write);
  for (int lane = 1; lane < lanes_; ++lane) {
    const rules::Requests its = this->heads(lane);
    const Decision other = decision(lane, its.read, its.write);
    if (other.edge >= first.edge) continue;
    first = other;
    heads = its;
  }
  if (first.edge == kNever) return Made::nothing;
  for (int number = 0; number < count_; ++number)
    look_at(number, ports_[static_cast<std::size_t>(number)].oldest_read(), first);
  return make(first, heads.read, heads.write);
}

bool FixedMemory::next() {
  Made made = Made::refresh;
  while (made == Made::refresh) made = decide_first();
  return made == Made::grant;
}

int FixedMemory::decide(const bool& stirred, int most) {
  int made = 0;
  do {
    if (!FixedMemory::next()) break;
    ++made;
  } while (made < most && !stirred);
  return made;
}

}  // namespace fansim::timing
