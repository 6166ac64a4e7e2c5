// SPDX-License-Identifier: Apache-2.0
#include "timing/fixed_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace fansim::timing {

FixedMemory::FixedMemory(const contract::DdrConfig& config) : config_(rules::effective(config)) {
  if (config_.refresh_cycles >= config_.refresh_interval)  // no decision would ever be reached
    throw std::invalid_argument(fmt::format("timing: refreshes of {} cycles every {} leave the memory none",
                                            config_.refresh_cycles, config_.refresh_interval));
  for (Port& port : ports_) rules::quiesce(port.state, config_, 0);
}

void FixedMemory::read(int port, ReadSink& sink, Edge accepted, std::uint32_t, int beats) {
  ports_[static_cast<std::size_t>(port)].reads.push({{accepted, beats}, &sink});
}

void FixedMemory::write(int port, WriteSource& source, Edge accepted, std::uint32_t, int beats) {
  ports_[static_cast<std::size_t>(port)].writes.push({{accepted, beats}, &source});
}

// Beats that came late have held the bus.
void FixedMemory::written(int number, int beats, Edge popped) {
  Port& port = ports_[static_cast<std::size_t>(number)];
  if ((port.to_write -= beats) > 0) return;
  const Edge last = popped + beats - 1;
  port.state.bus_free = port.state.burst_end = last + 1;
  WriteSource& source = *port.writing;
  port.writing = nullptr;
  source.respond(last + config_.write_latency);
}

Edge FixedMemory::Port::next_edge() const {
  Edge arrival = kNever;
  if (!reads.empty()) arrival = reads.front().request.arrival;
  if (!writes.empty()) arrival = std::min(arrival, writes.front().request.arrival);
  return arrival == kNever ? kNever : std::max(state.bus_free, arrival + 1);
}

bool FixedMemory::next() {
  while (true) {
    const Edge first = ports_[0].next_edge(), second = ports_[1].next_edge();
    if (std::min(first, second) == kNever) return false;
    if (second < first ? decide(1, second) : decide(0, first)) return true;
  }
}

// Nothing is granted if a refresh comes first.
bool FixedMemory::decide(int number, Edge edge) {
  Port& port = ports_[static_cast<std::size_t>(number)];
  if (port.writing)
    throw std::logic_error(
        fmt::format("timing: port {} decides at edge {} while a write lacks {} beats", number, edge, port.to_write));
  wait_until(number, edge);
  rules::Requests heads;
  if (!port.reads.empty()) heads.read = port.reads.front().request;
  if (!port.writes.empty()) heads.write = port.writes.front().request;
  const rules::Pick pick = rules::pick(port.state, config_, heads, edge);
  if (pick.direction == rules::Direction::read) {
    ReadSink& sink = *port.reads.front().sink;
    port.reads.pop();
    const Edge last = sink.data(heads.read.beats, pick.data);
    waits(number).add(port.waited, pick.start, rules::ReadWait::turnaround);
    waits(number).add(std::max(port.waited, pick.start), last, rules::ReadWait::none);
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
  Edge from = std::max(read.arrival, port.waited);
  while (from < edge) {
    Edge to = edge;
    for (const Edge change : {read.arrival + 1, port.state.burst_start, port.state.burst_end, port.state.refresh_end})
      if (change > from) to = std::min(to, change);
    waits(number).add(from, to, rules::why(port.state, read, from));
    from = to;
  }
  port.waited = std::max(port.waited, from);
}

// A refresh between two decisions makes them different, whatever else they leave alike.
void FixedMemory::describe(std::vector<Edge>& state) const {
  const Port& port = ports_[0];
  const Edge origin = port.state.bus_free;
  state.insert(state.end(), {port.state.burst_start - origin, port.state.burst_end - origin, port.waited - origin,
                             static_cast<Edge>(read_waits(0).all().size()), port.state.refreshes,
                             static_cast<Edge>(port.reads.size())});
  for (std::size_t i = 0; i < port.reads.size(); ++i)
    state.insert(state.end(), {port.reads[i].request.arrival - origin, port.reads[i].request.beats});
}

// Until the next refresh, and until a write is seen.
std::int64_t FixedMemory::repeatable(Edge period) const {
  const Port& port = ports_[0];
  if (port.state.last != rules::Direction::read) return 0;
  Edge last = config_.refresh_cycles > 0 ? port.state.refresh_due - 1 : kNever;
  if (!port.writes.empty()) last = std::min(last, port.writes.front().request.arrival);
  return (last - port.state.burst_start) / period;
}

void FixedMemory::skip(std::int64_t bursts, Edge period) {
  Port& port = ports_[0];
  const Edge by = bursts * period;
  port.state.bus_free += by, port.state.burst_start += by, port.state.burst_end += by;
  port.waited += by;
  for (std::size_t i = 0; i < port.reads.size(); ++i) port.reads[i].request.arrival += by;
  waits(0).extend(by);
}

}  // namespace fansim::timing
