// SPDX-License-Identifier: Apache-2.0
#include "timing/banked_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/units.h"

namespace fansim::timing {

using rules::ReadWait;

BankedMemory::BankedMemory(const contract::DdrConfig& config, int beat_bytes, const base::Rational& port_mhz, int ports)
    : config_(config),
      access_bytes_(static_cast<std::uint32_t>(config.part.access_bytes())),
      beat_bytes_(static_cast<std::uint32_t>(beat_bytes)),
      part_accesses_(base::round_up(std::max(16, config.part.read_queue), 2)),
      count_(ports),
      ratio_(config.part.clock_mhz, port_mhz),
      controller_(config.part, ports, config.arbitration == contract::DdrArbitration::priority) {}

// Data are popped without waiting for the controller, from the edge after the burst was accepted on.
void BankedMemory::write(int number, WriteSource& source, Edge accepted, std::uint32_t address, int beats) {
  const std::uint32_t last = address + static_cast<std::uint32_t>(beats) * beat_bytes_ - 1;
  const int accesses = static_cast<int>(access_of(last) - access_of(address)) + 1;
  at(number).writes.push({&source, address, beats, accesses});
  source.take(accepted + 1);
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
  steady_ = false;
  while (true) {
    bool sent = false;
    if (orderly_ >= 0 && drain(orderly_, sent)) {
      if (sent) return true;
      continue;
    }
    orderly_ = -1;
    const int number = first_ahead();
    const Edge edge = controller_.next_edge();
    Edge until = number < 0 ? kNever : next_ahead(number);
    if (until <= edge && number >= 0) until = due(number);
    if (until <= edge && number >= 0) {
      if (admit(number)) return true;
      continue;
    }
    if (edge >= rules::DdrPick::kNever) return false;
    --until;
    for (int port = 0; port < count_; ++port) until = std::min(until, wait_until(port, edge));
    rules::DdrEvent event;
    if (controller_.next(std::max(edge, until), event, false) && handle(event)) return true;
  }
}

// True: somebody may go on, as none can between the data of a burst.
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
  if (!event.picked) return false;
  Access& access = port.accesses[static_cast<std::size_t>(event.id - port.accesses_popped)];
  orderly_ = event.port;
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

// Beats leave in order; true: the last ones of a burst.
bool BankedMemory::send(int number) {
  Port& port = at(number);
  bool ends = false;
  while (!port.accesses.empty() && port.accesses.front().memory_column != kNever) {
    const Access access = port.accesses.pop();
    ++port.accesses_popped;
    const Edge last = access.sink->data(access.beats, data_ready(access.memory_column));
    Edge edge = std::max(port.waited, access.accepted);
    for (Edge memory_edge = ratio_.fast_at(edge); edge < last && memory_edge < access.memory_column;
         memory_edge = ratio_.fast_at(++edge))
      waits(number).add(edge, edge + 1, why(access, memory_edge));
    waits(number).add(edge, last, ReadWait::none);
    port.waited = std::max(edge, last);
    ends |= access.last;
  }
  return ends;
}

// While a read is outstanding, every edge of its port asks what for: those that see the memory before `memory_edge`,
// when the oldest is not picked. Returns what the next one sees that asks the memory.
Edge BankedMemory::wait_until(int number, Edge memory_edge) {
  Port& port = at(number);
  if (port.accesses.empty()) return kNever;
  const Access& oldest = port.accesses.front();
  Edge edge = std::max(port.waited, oldest.accepted);
  const Edge arrival = controller_.arrival(number, port.accesses_popped);
  if (arrival == rules::DdrPick::kNever) {
    port.waited = std::max(edge, ratio_.slow_after(memory_edge - 1));
    waits(number).add(edge, port.waited, ReadWait::none);
    return kNever;
  }
  Edge seen = ratio_.fast_at(edge);
  if (seen >= memory_edge) return seen;
  const rules::DdrRequest read{arrival, config_.part.mapping(oldest.address), number, 0};
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

void BankedMemory::describe(std::vector<Edge>& state) const {
  const Queue<Ahead>& ahead = at(0).ahead;
  state.insert(state.end(), {static_cast<Edge>(read_waits(0).all().size()), static_cast<Edge>(ahead.size())});
  for (std::size_t i = 0; i < ahead.size(); ++i)
    state.insert(state.end(), {ahead[i].accepted - origin(), ahead[i].beats});
}

// Bursts that lie in turns in the rows of one block, each picked before the next one enters and early enough to be sent
// right behind the one before: up to the block's end, the next refresh and the next write. Edges of the memory lie as
// they fall between those of the port, so bounds stand for them.
std::int64_t BankedMemory::repeatable(Edge period) const {
  if (at(0).ahead.empty()) return 0;
  const Ahead& next = at(0).ahead.front();
  const int count = next.reads.count;
  const std::uint32_t bytes = static_cast<std::uint32_t>(next.beats) * beat_bytes_;
  const std::uint64_t block = config_.part.mapping.in_order_bytes(), in_block = next.address % block;
  const std::uint32_t turn = 2 * access_bytes_;
  if (next.beats != period || in_block == 0 || in_block % turn != 0 || bytes % turn != 0) return 0;
  const Edge length = columns_[count - 1] - columns_.first;  // from the first pick to the last
  if (ratio_.fast_at(period) < std::max<Edge>(count, length + std::max(3, config_.part.tccd_l))) return 0;
  for (int i = 0; i < count; ++i) {
    const Edge latency = config_.request_latency + data_ready(2 + columns_[i] - columns_.first);
    if (next.accepted + latency > origin() + 1 + Edge{i} * static_cast<Edge>(access_bytes_ / beat_bytes_)) return 0;
  }
  Edge until = std::min(kNever, controller_.next_write());
  if (config_.part.trfc > 0) until = std::min(until, controller_.state().refresh_due);
  const Edge last = ratio_.slow_after(until - 3 - length) - 1 - config_.request_latency;  // accepted by then
  if (last < next.accepted) return 0;
  return std::min(static_cast<std::int64_t>((block - in_block) / bytes), (last - next.accepted) / period + 1);
}

// The last of them is decided as such: nothing before it counts for what follows.
void BankedMemory::skip(std::int64_t bursts, Edge period) {
  const Edge by = bursts * period;
  Port& port = at(0);
  const Ahead& next = port.ahead.front();
  const auto bytes = static_cast<std::uint32_t>(next.beats) * beat_bytes_;
  rules::DdrReads last = next.reads;
  last.address += static_cast<std::uint64_t>(bursts - 1) * bytes;
  last.ready = ready(next.accepted + by - period);
  rules::DdrColumns columns;
  if (!controller_.burst(0, last, false, kNever, columns) || columns.count < last.count)
    throw std::logic_error(fmt::format("timing: port 0: the burst accepted at edge {} cannot repeat another",
                                       next.accepted + by - period));
  controller_.state().row_hits += (bursts - 1) * last.count;
  port.waited += by;
  waits(0).extend(by);
  for (std::size_t i = 0; i < port.ahead.size(); ++i) {
    Ahead& burst = port.ahead[i];
    burst.accepted += by;
    burst.address += static_cast<std::uint32_t>(bursts) * bytes;
    burst.reads.address += static_cast<std::uint64_t>(bursts) * bytes;
    burst.reads.ready = ready(burst.accepted);
  }
}

}  // namespace fansim::timing
