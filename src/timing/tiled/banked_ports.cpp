// SPDX-License-Identifier: Apache-2.0
#include "timing/tiled/banked_ports.h"

#include <algorithm>

namespace fansim::timing {

using rules::ReadWait;

namespace {
int ports_of(const arch::TiledConfig& config) { return config.load.order == arch::LoadOrder::parallel ? 2 : 1; }
}  // namespace

BankedPorts::BankedPorts(const arch::TiledConfig& config)
    : config_(config.ddr),
      access_bytes_(static_cast<std::uint32_t>(config.ddr.part.access_bytes())),
      beat_bytes_(static_cast<std::uint32_t>(config.port.beat_bytes())),
      ratio_(config.ddr.part.clock_mhz, config.port_mhz),
      controller_(config.ddr.part, ports_of(config), config.ddr.arbitration == arch::DdrArbitration::priority) {}

void BankedPorts::request(int port, bool write, Edge edge, std::uint32_t address, int id) {
  controller_.request(port, write, ratio_.fast_at(edge + config_.request_latency) + 1, address, id);
}

// The first edge of the ports not before one of the memory.
Edge BankedPorts::seen(Edge memory_edge) const {
  const Edge before = ratio_.slow_after(memory_edge) - 1;
  return ratio_.fast_at(before) == memory_edge ? before : before + 1;
}

void BankedPorts::read(int number, ReadSink& sink, Edge accepted, std::uint32_t address, int beats) {
  Port& port = ports_[static_cast<std::size_t>(number)];
  const std::uint32_t end = address + static_cast<std::uint32_t>(beats) * beat_bytes_;
  for (std::uint32_t at = address; at < end;) {
    const std::uint32_t next = std::min(end, (access_of(at) + 1) * access_bytes_);
    Access access{};
    access.address = access_of(at) * access_bytes_;
    access.beats = static_cast<int>((next - at + beat_bytes_ - 1) / beat_bytes_);
    access.sink = &sink;
    access.accepted = accepted;
    request(number, false, accepted, access.address, port.accesses_popped + static_cast<int>(port.accesses.size()));
    port.accesses.push(access);
    at += static_cast<std::uint32_t>(access.beats) * beat_bytes_;
  }
}

void BankedPorts::write(int number, WriteSource& source, Edge, std::uint32_t address, int beats) {
  const std::uint32_t last = address + static_cast<std::uint32_t>(beats) * beat_bytes_ - 1;
  ports_[static_cast<std::size_t>(number)].writes.push(
      {&source, static_cast<int>(access_of(last) - access_of(address)) + 1});
}

// An access is the controller's with its last beat.
void BankedPorts::written(int number, std::uint32_t address, bool last, Edge popped) {
  Port& port = ports_[static_cast<std::size_t>(number)];
  if (last || access_of(address) != access_of(address + beat_bytes_))
    request(number, true, popped, address, port.writes_popped + port.writes_whole);
  port.writes_whole += last;
}

bool BankedPorts::next() {
  for (Edge edge = controller_.next_edge(); edge < rules::DdrPick::kNever; edge = controller_.next_edge()) {
    wait_until(edge);
    rules::DdrEvent event;
    if (!controller_.next(edge, event)) continue;  // but a refresh may have begun
    handle(event);
    return true;
  }
  return false;
}

void BankedPorts::handle(const rules::DdrEvent& event) {
  Port& port = ports_[static_cast<std::size_t>(event.port)];
  if (event.write) {
    if (event.picked == config_.part.posted_writes) return;
    Write& write = port.writes[static_cast<std::size_t>(event.id - port.writes_popped)];
    if (--write.accesses > 0) return;
    write.response = std::max(seen(event.edge), ratio_.slow_after(event.picked ? event.pick.end : event.edge) +
                                                    config_.write_latency - config_.request_latency);
    respond(port);
    return;
  }
  Access& access = port.accesses[static_cast<std::size_t>(event.id - port.accesses_popped)];
  if (!event.picked) {
    access.memory_arrival = event.edge;
    return;
  }
  access.memory_row_ready = event.pick.row_ready;
  access.memory_column = event.pick.column;
  access.wait = event.pick.wait;
  access.ready = ratio_.slow_after(event.pick.end) + config_.response_latency;
  send(port);
}

// Responses leave in order.
void BankedPorts::respond(Port& port) {
  while (!port.writes.empty() && port.writes.front().response != kUnknown) {
    const Write write = port.writes.front();
    port.writes.pop();
    ++port.writes_popped;
    --port.writes_whole;
    write.source->respond(write.response);
  }
}

// Beats leave in order.
void BankedPorts::send(Port& port) {
  for (; port.sent < port.accesses.size() && port.accesses[port.sent].ready != kUnknown; ++port.sent) {
    Access& access = port.accesses[port.sent];
    access.sent = access.sink->data(access.beats, access.ready);
  }
}

// While a read is outstanding, every edge of the port asks what for: those that see the memory before `memory_edge`.
void BankedPorts::wait_until(Edge memory_edge) {
  for (int number = 0; number < 2; ++number) {
    Port& port = ports_[static_cast<std::size_t>(number)];
    while (!port.accesses.empty()) {
      const Access& oldest = port.accesses.front();
      port.waited = std::max(port.waited, oldest.accepted);
      if (port.waited >= oldest.sent) {
        port.accesses.pop();
        ++port.accesses_popped;
        --port.sent;
        continue;
      }
      const Edge edge = ratio_.fast_at(port.waited);
      if (edge >= memory_edge) break;
      if (oldest.memory_column <= edge && oldest.sent != kUnknown) {
        port.waited = oldest.sent;
        continue;
      }
      wait(number, port.waited, port.waited + 1, why(number, oldest, edge));
      ++port.waited;
    }
  }
}

ReadWait BankedPorts::why(int number, const Access& access, Edge edge) const {
  if (access.memory_arrival >= edge) return ReadWait::none;
  if (access.memory_column == kUnknown)
    return controller_.why({access.memory_arrival, config_.part.mapping(access.address), number, 0}, edge);
  if (access.memory_column <= edge) return ReadWait::none;
  if (edge >= controller_.state().refresh_start && edge < controller_.state().refresh_end) return ReadWait::refresh;
  return edge < access.memory_row_ready ? ReadWait::row_miss : access.wait;
}

}  // namespace fansim::timing
