// SPDX-License-Identifier: Apache-2.0
#include "timing/banked_memory.h"

#include <algorithm>

namespace fansim::timing {

using rules::ReadWait;

BankedMemory::BankedMemory(const contract::DdrConfig& config, int beat_bytes, const base::Rational& port_mhz, int ports)
    : config_(config),
      access_bytes_(static_cast<std::uint32_t>(config.part.access_bytes())),
      beat_bytes_(static_cast<std::uint32_t>(beat_bytes)),
      count_(ports),
      pace_(rules::pace_of(config, beat_bytes * 8)),
      ratio_(config.part.clock_mhz, port_mhz),
      controller_(config.part, ports, config.arbitration == contract::DdrArbitration::priority) {}

void BankedMemory::read(int number, ReadSink& sink, Edge accepted, std::uint32_t address, int beats) {
  request(number, {address, beats, true, &sink, accepted}, at(number).paced_reads.pass(pace_, accepted, beats));
}

void BankedMemory::request(int number, const ReadBeats& read, Edge passes) {
  Port& port = at(number);
  const Edge from = ready(passes);
  const std::uint32_t end = read.address + static_cast<std::uint32_t>(read.beats) * beat_bytes_;
  for (std::uint32_t address = read.address; address < end;) {
    const std::uint32_t start = access_of(address) * access_bytes_, next = std::min(end, start + access_bytes_);
    const int beats = static_cast<int>((next - address + beat_bytes_ - 1) / beat_bytes_);
    controller_.request(number, false, from, start, port.accesses_popped + static_cast<int>(port.accesses.size()));
    Access access{};
    access.read = {start, beats, read.last && next == end, read.sink, read.accepted};
    port.accesses.push(access);
    address += static_cast<std::uint32_t>(beats) * beat_bytes_;
  }
}

// Data are popped without waiting for the controller, from the edge after the burst was accepted on.
void BankedMemory::write(int number, WriteSource& source, Edge accepted, std::uint32_t address, int beats) {
  const std::uint32_t last = address + static_cast<std::uint32_t>(beats) * beat_bytes_ - 1;
  const int accesses = static_cast<int>(access_of(last) - access_of(address)) + 1;
  at(number).writes.push({&source, address, beats, accesses});
  source.take(at(number).paced_writes.pass(pace_, accepted + 1, beats));
}

// An access is the controller's with its last beat.
void BankedMemory::written(int number, int beats, Edge popped) {
  Port& port = at(number);
  Write& write = port.writes[static_cast<std::size_t>(port.writes_whole)];
  const int id = port.writes_popped + port.writes_whole;
  for (int i = 0; i < beats; ++i) {
    const std::uint32_t address = write.address;
    write.address += beat_bytes_;
    if (--write.beats == 0 || access_of(address) != access_of(write.address))
      controller_.request(number, true, ready(popped + i), address, id);
  }
  port.writes_whole += write.beats == 0;
}

bool BankedMemory::next() {
  rules::DdrEvent event;
  while (true) {
    const Edge edge = controller_.next_edge();
    if (edge >= rules::DdrPick::kNever) return false;
    if (controller_.next(look_until(edge), event) && handle(event)) return true;
  }
}

Edge BankedMemory::look_until(Edge edge) {
  Edge until = kNever;
  for (int port = 0; port < count_; ++port) until = std::min(until, wait_until(port, edge));
  return std::max(edge, until);
}

// Nobody can go on between the data of a burst.
bool BankedMemory::handle(const rules::DdrEvent& event) {
  Port& port = at(event.port);
  if (event.write) {
    if (event.picked == config_.part.posted_writes) return false;
    Write& write = port.writes[static_cast<std::size_t>(event.id - port.writes_popped)];
    if (--write.accesses > 0) return false;
    write.response =
        ratio_.slow_after(event.picked ? event.pick.end : event.edge) + config_.write_latency - config_.request_latency;
    respond(port);
    return true;
  }
  Access& access = port.accesses[static_cast<std::size_t>(event.id - port.accesses_popped)];
  if (!event.picked) {
    access.memory_arrival = event.edge;
    return false;
  }
  access.memory_row_ready = event.pick.row_ready;
  access.memory_column = event.pick.column;
  access.wait = event.pick.wait;
  return send(event.port);
}

// Responses leave in order.
void BankedMemory::respond(Port& port) {
  while (!port.writes.empty() && port.writes.front().response != kNever) {
    const Write write = port.writes.pop();
    ++port.writes_popped;
    --port.writes_whole;
    write.source->respond(write.response);
  }
}

bool BankedMemory::send(int number) {
  Port& port = at(number);
  bool ends = false;
  while (!port.accesses.empty() && port.accesses.front().memory_column != kNever) {
    const Access access = port.accesses.pop();
    ++port.accesses_popped;
    const Edge last = access.read.sink->data(access.read.beats, data_ready(access.memory_column));
    Edge edge = std::max(port.waited, access.read.accepted);
    for (Edge memory_edge = ratio_.fast_at(edge); edge < last && memory_edge < access.memory_column;
         memory_edge = ratio_.fast_at(++edge))
      waits(number).add(edge, edge + 1, why(access, memory_edge));
    waits(number).add(edge, last, ReadWait::none);
    port.waited = std::max(edge, last);
    ends |= access.read.last;
  }
  return ends;
}

// While a read is outstanding, every edge of its port asks what for: those that see the memory before `memory_edge`,
// when the oldest is not picked. Returns what the next one sees that asks the memory.
Edge BankedMemory::wait_until(int number, Edge memory_edge) {
  Port& port = at(number);
  if (port.accesses.empty()) return kNever;
  const Access& oldest = port.accesses.front();
  Edge edge = std::max(port.waited, oldest.read.accepted);
  if (oldest.memory_arrival == kNever) {
    port.waited = std::max(edge, ratio_.slow_after(memory_edge - 1));
    waits(number).add(edge, port.waited, ReadWait::none);
    return kNever;
  }
  Edge seen = ratio_.fast_at(edge);
  if (seen >= memory_edge) return seen;
  const rules::DdrRequest read{oldest.memory_arrival, config_.part.mapping(oldest.read.address), number, 0};
  for (; seen < memory_edge; seen = ratio_.fast_at(++edge))
    waits(number).add(edge, edge + 1, seen <= read.arrival ? ReadWait::none : controller_.why(read, seen));
  port.waited = edge;
  return seen;
}

// Returns why an access that was picked waits.
ReadWait BankedMemory::why(const Access& access, Edge edge) const {
  if (edge >= controller_.state().refresh_start && edge < controller_.state().refresh_end) return ReadWait::refresh;
  return edge < access.memory_row_ready ? ReadWait::row_miss : access.wait;
}

}  // namespace fansim::timing
