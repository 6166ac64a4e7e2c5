// SPDX-License-Identifier: Apache-2.0
#include "timing/fixed_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace fansim::timing {

FixedMemory::FixedMemory(const contract::DdrConfig& config, int beat_bytes, int ports)
    : config_(rules::effective(config)), count_(ports), state_(rules::lanes(config, beat_bytes * 8, ports)) {
  if (config_.refresh_cycles >= config_.refresh_interval)  // no decision would ever be reached
    throw std::invalid_argument(fmt::format("timing: refreshes of {} cycles every {} leave the memory none",
                                            config_.refresh_cycles, config_.refresh_interval));
  rules::quiesce(state_, config_, 0);
}

void FixedMemory::read(int port, ReadSink& sink, Edge accepted, std::uint32_t, int beats) {
  ports_[static_cast<std::size_t>(port)].reads.push({{accepted, beats, port}, &sink});
}

void FixedMemory::write(int port, WriteSource& source, Edge accepted, std::uint32_t, int beats) {
  ports_[static_cast<std::size_t>(port)].writes.push({{accepted, beats, port}, &source});
}

// Beats that came late have held the lane.
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

rules::Requests FixedMemory::heads(int lane) const {
  rules::Requests heads;
  for (int number = 0; number < count_; ++number) {
    if (lane_of(number) != lane) continue;
    const Port& port = ports_[static_cast<std::size_t>(number)];
    if (!port.reads.empty()) heads.read = rules::older(heads.read, port.reads.front().request);
    if (!port.writes.empty()) heads.write = rules::older(heads.write, port.writes.front().request);
  }
  return heads;
}

Edge FixedMemory::next_edge(int lane) const {
  const rules::Requests heads = this->heads(lane);
  Edge arrival = kNever;
  if (heads.read.beats > 0) arrival = heads.read.arrival;
  if (heads.write.beats > 0) arrival = std::min(arrival, heads.write.arrival);
  return arrival == kNever ? kNever : rules::decides(state_, arrival + 1, lane);
}

bool FixedMemory::next() {
  while (true) {
    int lane = 0;
    Edge edge = next_edge(0);
    for (int other = 1; other < static_cast<int>(state_.lanes.size()); ++other)
      if (const Edge its = next_edge(other); its < edge) lane = other, edge = its;
    if (edge == kNever) return false;
    if (decide(lane, edge)) return true;
  }
}

// Nothing is granted if a refresh comes first.
bool FixedMemory::decide(int lane, Edge edge) {
  for (int number = 0; number < count_; ++number) {
    const Port& port = ports_[static_cast<std::size_t>(number)];
    if (port.writing && (lane_of(number) == lane || edge >= state_.refresh_due))
      throw std::logic_error(
          fmt::format("timing: port {} decides at edge {} while a write lacks {} beats", number, edge, port.to_write));
    wait_until(number, edge);
  }
  const rules::Requests heads = this->heads(lane);
  const rules::Pick pick = rules::pick(state_, config_, heads, edge, lane);
  Port& port = ports_[static_cast<std::size_t>(pick.port)];
  if (pick.direction == rules::Direction::read) {
    ReadSink& sink = *port.reads.front().sink;
    port.reads.pop();
    const Edge last = sink.data(heads.read.beats, pick.data);
    waits(pick.port).add(port.waited, pick.start, rules::ReadWait::turnaround);
    waits(pick.port).add(std::max(port.waited, pick.start), last, rules::ReadWait::none);
    port.waited = last;
  } else if (pick.direction == rules::Direction::write) {
    port.writing = port.writes.front().source;
    port.to_write = heads.write.beats;
    port.writes.pop();
    port.writing->take(pick.start);
  }
  return pick.direction != rules::Direction::none;
}

// The oldest read is outstanding from its arrival on, or once the last beat of the one before has been sent.
void FixedMemory::wait_until(int number, Edge edge) {
  Port& port = ports_[static_cast<std::size_t>(number)];
  if (port.reads.empty()) return;
  const rules::Request& read = port.reads.front().request;
  const int lane = lane_of(number);
  const rules::FixedDdrLane& bus = state_[lane];
  Edge from = std::max(read.arrival, port.waited);
  while (from < edge) {
    Edge to = edge;
    for (const Edge change : {read.arrival + 1, bus.burst_start, bus.burst_end, state_.refresh_end, state_.refresh_due})
      if (change > from) to = std::min(to, change);
    waits(number).add(from, to, rules::why(state_, read, from, lane));
    from = to;
  }
  port.waited = std::max(port.waited, from);
}

// Whether a read that arrives then finds nothing of what was before but refreshes.
bool FixedMemory::quiet(Edge arrival) const {
  const Port& port = ports_[0];
  const rules::FixedDdrLane& bus = state_[0];
  const Edge turned = bus.burst_end + (bus.last == rules::Direction::write ? config_.turnaround : 0);
  return count_ == 1 && port.reads.empty() && port.writes.empty() && !port.writing && port.waited <= arrival &&
         turned <= arrival;
}

// The first edge from `edge` on at which no refresh keeps the one port from being granted a burst.
Edge FixedMemory::granted(Edge edge) {
  while (true) {
    edge = std::max(edge, state_[0].bus_free);
    rules::refresh(state_, config_, edge);
    if (state_[0].bus_free <= edge && edge < state_.refresh_due) return edge;
  }
}

// Bursts follow each other without an edge between them, but for refreshes; the reads behind wait for those from the
// last beat of the burst before on.
std::optional<Edge> FixedMemory::take(const Train& train) {
  const Edge latency = config_.read_latency;
  if (!quiet(train.arrival) || latency > train.longest_latency) return std::nullopt;
  const rules::BurstStarts& starts = train.starts;
  rules::FixedDdrLane& bus = state_[0];
  Edge known = granted(train.arrival + 1);  // what the oldest read waits for
  waits(0).add(train.arrival, train.arrival + 1, rules::ReadWait::none);
  waits(0).add(train.arrival + 1, known, rules::ReadWait::refresh);
  Edge begin = known;  // of beat 0, had it come right before the others
  for (std::int64_t next; (next = starts.from(state_.refresh_due - begin)) < starts.beats();) {
    bus.bus_free = begin + next;
    const Edge last = bus.bus_free + latency - 1, grant = granted(bus.bus_free);
    waits(0).add(known, last, rules::ReadWait::none);
    waits(0).add(last, grant, rules::ReadWait::refresh);
    known = std::max(last, grant);
    begin = grant - next;
  }
  const Edge end = begin + starts.beats();
  bus = {end, begin + starts.last(), end, rules::Direction::read, 0};
  Port& port = ports_[0];
  port.waited = end + latency - 1;
  waits(0).add(known, port.waited, rules::ReadWait::none);
  return bus.burst_start + latency;
}

// A refresh between two decisions makes them different, whatever else they leave alike.
void FixedMemory::describe(std::vector<Edge>& state) const {
  const Port& port = ports_[0];
  const rules::FixedDdrLane& lane = state_[0];
  const Edge origin = lane.bus_free;
  state.insert(state.end(),
               {lane.burst_start - origin, lane.burst_end - origin, port.waited - origin,
                static_cast<Edge>(read_waits(0).all().size()), state_.refreshes, static_cast<Edge>(port.reads.size())});
  for (std::size_t i = 0; i < port.reads.size(); ++i)
    state.insert(state.end(), {port.reads[i].request.arrival - origin, port.reads[i].request.beats});
}

// Until the next refresh, and until a write is seen.
std::int64_t FixedMemory::repeatable(Edge period) const {
  const Port& port = ports_[0];
  const rules::FixedDdrLane& lane = state_[0];
  if (lane.last != rules::Direction::read) return 0;
  Edge last = state_.refresh_due - 1;
  if (!port.writes.empty()) last = std::min(last, port.writes.front().request.arrival);
  return (last - lane.burst_start) / period;
}

void FixedMemory::skip(std::int64_t bursts, Edge period) {
  Port& port = ports_[0];
  const Edge by = bursts * period;
  rules::FixedDdrLane& lane = state_[0];
  lane.bus_free += by, lane.burst_start += by, lane.burst_end += by;
  port.waited += by;
  for (std::size_t i = 0; i < port.reads.size(); ++i) port.reads[i].request.arrival += by;
  waits(0).extend(by);
}

}  // namespace fansim::timing
