// SPDX-License-Identifier: Apache-2.0
#include "timing/tiled/fixed_ports.h"

#include <algorithm>
#include <stdexcept>

namespace fansim::timing {

FixedPorts::FixedPorts(const arch::DdrConfig& config) : config_(rules::effective(config)) {
  for (Port& port : ports_) rules::quiesce(port.state, config_, 0);
}

void FixedPorts::read(int port, ReadSink& sink, Edge accepted, std::uint32_t, int beats) {
  ports_[static_cast<std::size_t>(port)].reads.push({{accepted, beats}, &sink});
}

void FixedPorts::write(int port, WriteSource& source, Edge accepted, std::uint32_t, int beats) {
  ports_[static_cast<std::size_t>(port)].writes.push({{accepted, beats}, &source});
}

// Beats that came late have held the bus.
void FixedPorts::written(int number, std::uint32_t, bool last, Edge popped) {
  if (!last) return;
  Port& port = ports_[static_cast<std::size_t>(number)];
  port.state.bus_free = port.state.burst_end = popped + 1;
  WriteSource& source = *port.writing;
  port.writing = nullptr;
  source.respond(popped + config_.write_latency);
}

Edge FixedPorts::Port::next_edge() const {
  Edge arrival = kNever;
  if (!reads.empty()) arrival = reads.front().request.arrival;
  if (!writes.empty()) arrival = std::min(arrival, writes.front().request.arrival);
  return arrival == kNever ? kNever : std::max(state.bus_free, arrival + 1);
}

bool FixedPorts::next() {
  const int first = ports_[1].next_edge() < ports_[0].next_edge() ? 1 : 0;
  if (ports_[static_cast<std::size_t>(first)].next_edge() == kNever) return false;
  decide(first);
  return true;
}

// Nothing is granted if a refresh comes first.
void FixedPorts::decide(int number) {
  Port& port = ports_[static_cast<std::size_t>(number)];
  if (port.writing) throw std::logic_error("timing: a decision before the write before it has been taken");
  const Edge edge = port.next_edge();
  wait_until(number, edge);
  rules::Requests heads;
  if (!port.reads.empty()) heads.read = port.reads.front().request;
  if (!port.writes.empty()) heads.write = port.writes.front().request;
  const rules::Pick pick = rules::pick(port.state, config_, heads, edge);
  if (pick.direction == rules::Direction::read) {
    wait(number, std::max({edge, port.waited, port.sent}), pick.start, rules::ReadWait::turnaround);
    ReadSink& sink = *port.reads.front().sink;
    port.reads.pop();
    port.sent = port.waited = sink.data(heads.read.beats, pick.data);
  } else if (pick.direction == rules::Direction::write) {
    port.writing = port.writes.front().source;
    port.writes.pop();
    port.writing->take(pick.start);
  }
}

// The oldest read is outstanding from its arrival on, or once the last beat of the one before has been sent.
void FixedPorts::wait_until(int number, Edge edge) {
  Port& port = ports_[static_cast<std::size_t>(number)];
  if (port.reads.empty()) return;
  const rules::Request& read = port.reads.front().request;
  Edge from = std::max({read.arrival, port.sent, port.waited});
  while (from < edge) {
    Edge to = edge;
    for (const Edge change : {read.arrival + 1, port.state.burst_start, port.state.burst_end, port.state.refresh_end})
      if (change > from) to = std::min(to, change);
    wait(number, from, to, rules::why(port.state, read, from));
    from = to;
  }
  port.waited = std::max(port.waited, from);
}

}  // namespace fansim::timing
