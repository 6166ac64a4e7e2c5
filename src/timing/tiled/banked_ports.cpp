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
      part_accesses_(std::max(16, config.ddr.part.read_queue)),
      ratio_(config.ddr.part.clock_mhz, config.port_mhz),
      controller_(config.ddr.part, ports_of(config), config.ddr.arbitration == arch::DdrArbitration::priority) {}

// The first edge of the ports not before one of the memory.
Edge BankedPorts::seen(Edge memory_edge) const {
  const Edge before = ratio_.slow_after(memory_edge) - 1;
  return ratio_.fast_at(before) == memory_edge ? before : before + 1;
}

void BankedPorts::read(int number, ReadSink& sink, Edge accepted, std::uint32_t address, int beats) {
  const std::uint32_t first = access_of(address);
  const std::uint32_t last = access_of(address + static_cast<std::uint32_t>(beats) * beat_bytes_ - 1);
  const rules::DdrReads reads{first * access_bytes_, static_cast<int>(last - first) + 1, ready(accepted)};
  ports_[static_cast<std::size_t>(number)].ahead.push({reads, address, beats, true, &sink, accepted});
}

// The port with the first read to be handed over; those of a port follow each other.
int BankedPorts::first_ahead() const {
  int first = -1;
  for (int number = 0; number < 2; ++number)
    if (next_ahead(number) != kUnknown && !controller_.has_requests(number) &&
        (first < 0 || next_ahead(number) < next_ahead(first)))
      first = number;
  return first;
}

// The next accesses of a port are handed over, as late as can be: until then more is known of what comes after them.
// True: a burst's last data were sent.
bool BankedPorts::admit(int number) {
  const Ahead part = take_ahead(number);
  rules::DdrColumns columns;
  if (controller_.burst(number, part.reads, others_from(number, part), columns)) {
    send_whole(number, part, columns);
    return part.whole;
  }
  request(number, part);
  return false;
}

BankedPorts::Ahead BankedPorts::take_ahead(int number) {
  Queue<Ahead>& ahead = ports_[static_cast<std::size_t>(number)].ahead;
  if (ahead.front().reads.count <= part_accesses_) return ahead.pop();
  Ahead& burst = ahead.front();
  Ahead part = burst;
  part.reads.count = part_accesses_;
  part.whole = false;
  const std::uint64_t end = part.reads.address + static_cast<std::uint64_t>(part_accesses_) * access_bytes_;
  part.beats = static_cast<int>((end - part.address) / beat_bytes_);
  burst.reads.address = burst.address = static_cast<std::uint32_t>(end);
  burst.reads.count -= part_accesses_;
  burst.beats -= part.beats;
  return part;
}

void BankedPorts::request(int number, const Ahead& part) {
  Port& port = ports_[static_cast<std::size_t>(number)];
  const std::uint32_t end = part.address + static_cast<std::uint32_t>(part.beats) * beat_bytes_;
  for (std::uint32_t at = part.address; at < end;) {
    const std::uint32_t next = std::min(end, (access_of(at) + 1) * access_bytes_);
    Access access{};
    access.address = access_of(at) * access_bytes_;
    access.beats = static_cast<int>((next - at + beat_bytes_ - 1) / beat_bytes_);
    access.last = part.whole && next == end;
    access.sink = part.sink;
    access.accepted = part.accepted;
    controller_.request(number, false, part.reads.ready, access.address,
                        port.accesses_popped + static_cast<int>(port.accesses.size()));
    port.accesses.push(access);
    at += static_cast<std::uint32_t>(access.beats) * beat_bytes_;
  }
}

// Of a port's reads to come after `last`, the first that are not the next in order: how many accesses come before them,
// and when they are ready; never if there are none.
BankedPorts::Choice BankedPorts::next_choice(int number, const rules::DdrReads& last) const {
  const Queue<Ahead>& ahead = port_ahead(number);
  const rules::DdrReads* before = &last;
  int accesses = 0;
  for (std::size_t i = 0; i < ahead.size(); ++i) {
    if (!controller_.follows(*before, ahead[i].reads)) return {accesses, ahead[i].reads.ready};
    before = &ahead[i].reads;
    accesses += before->count;
  }
  return {accesses, kUnknown};
}

// Whether the port's next reads, and all behind them, need not be handed over before the pick at `edge`.
bool BankedPorts::can_wait(int number, Edge edge) const {
  const rules::DdrReads& next = port_ahead(number).front().reads;
  if (next_ahead(1 - number) <= edge || !controller_.can_wait(number, next)) return false;
  const Choice choice = next_choice(number, {next.address, 0, next.ready});
  return choice.ready > edge || controller_.entered() + choice.accesses >= config_.part.read_queue;
}

// The first edge at which reads enter that may change the picks of `part`: others do not before the queue has room for
// them. What is not yet known waits for the end of a burst's data, or for something later than what is.
Edge BankedPorts::others_from(int number, const Ahead& part) const {
  const Choice choice = next_choice(number, part.reads);
  const bool enters_later = choice.accesses + 1 >= config_.part.read_queue;
  return std::min(next_ahead(1 - number), enters_later ? kUnknown : choice.ready);
}

// All before it have been sent. Beats of one access wait for none of the next where the memory is the faster.
void BankedPorts::send_whole(int number, const Ahead& part, const rules::DdrColumns& columns) {
  Port& port = ports_[static_cast<std::size_t>(number)];
  wait_until(number, kUnknown);
  const int in_access = static_cast<int>(access_bytes_ / beat_bytes_), count = part.reads.count;
  int beats = std::min(part.beats, in_access - static_cast<int>(part.address % access_bytes_ / beat_bytes_));
  const Edge ready = data_ready(columns[0]), spacing = std::max(columns.step, columns.pair - columns.step);
  const bool faster = spacing <= in_access * ratio_.fast_at(1);
  if (count == 1 || (faster && data_ready(columns[1]) <= ready + beats)) {
    port.waited = std::max(port.waited, part.sink->data(part.beats, ready));
    return;
  }
  for (int i = 0, left = part.beats; i < count; ++i) {
    port.waited = std::max(port.waited, part.sink->data(beats, data_ready(columns[i])));
    left -= beats;
    beats = std::min(left, in_access);
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
    controller_.request(number, true, ready(popped), address, port.writes_popped + port.writes_whole);
  port.writes_whole += last;
}

bool BankedPorts::next() {
  while (true) {
    const int number = first_ahead();
    const Edge edge = controller_.next_edge();
    if (number >= 0 && next_ahead(number) <= edge && !can_wait(number, edge)) {
      if (admit(number)) return true;
      continue;
    }
    if (edge >= rules::DdrPick::kNever) return false;
    for (int port = 0; port < 2; ++port) wait_until(port, edge);
    rules::DdrEvent event;
    if (!controller_.next(edge, event)) continue;  // but a refresh may have begun
    if (handle(event)) return true;
  }
}

// True: somebody may go on, as none can between the data of a burst.
bool BankedPorts::handle(const rules::DdrEvent& event) {
  Port& port = ports_[static_cast<std::size_t>(event.port)];
  if (event.write) {
    if (event.picked == config_.part.posted_writes) return false;
    Write& write = port.writes[static_cast<std::size_t>(event.id - port.writes_popped)];
    if (--write.accesses > 0) return false;
    write.response = std::max(seen(event.edge), ratio_.slow_after(event.picked ? event.pick.end : event.edge) +
                                                    config_.write_latency - config_.request_latency);
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
  access.ready = data_ready(event.pick.column);
  return send(port);
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

// Beats leave in order; true: the last ones of a burst.
bool BankedPorts::send(Port& port) {
  bool ends = false;
  for (; port.sent < port.accesses.size() && port.accesses[port.sent].ready != kUnknown; ++port.sent) {
    Access& access = port.accesses[port.sent];
    access.sent = access.sink->data(access.beats, access.ready);
    ends |= access.last;
  }
  return ends;
}

// While a read is outstanding, every edge of its port asks what for: those that see the memory before `memory_edge`.
void BankedPorts::wait_until(int number, Edge memory_edge) {
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
    if (oldest.memory_arrival == kUnknown) {
      port.waited = std::max(port.waited, ratio_.slow_after(memory_edge - 1));
      return;
    }
    const Edge edge = ratio_.fast_at(port.waited);
    if (edge >= memory_edge) return;
    if (oldest.memory_column <= edge && oldest.sent != kUnknown) {
      port.waited = oldest.sent;
      continue;
    }
    wait(number, port.waited, port.waited + 1, why(number, oldest, edge));
    ++port.waited;
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
