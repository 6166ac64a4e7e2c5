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

void BankedMemory::read(int number, ReadSink& sink, Edge accepted, std::uint32_t address, int beats) {
  const std::uint32_t first = access_of(address);
  const std::uint32_t last = access_of(address + static_cast<std::uint32_t>(beats) * beat_bytes_ - 1);
  const rules::DdrReads reads{first * access_bytes_, static_cast<int>(last - first) + 1, ready(accepted)};
  at(number).ahead.push({reads, address, beats, true, &sink, accepted});
}

// The first read that another port has to hand over.
Edge BankedMemory::next_of_others(int port) const {
  Edge first = kNever;
  for (int number = 0; number < count_; ++number)
    if (number != port) first = std::min(first, next_ahead(number));
  return first;
}

// The port with the first read to be handed over; those of a port follow each other.
int BankedMemory::first_ahead() const {
  int first = -1;
  for (int number = 0; number < count_; ++number)
    if (next_ahead(number) != kNever && !controller_.has_requests(number) &&
        (first < 0 || next_ahead(number) < next_ahead(first)))
      first = number;
  return first;
}

// A port's next burst is handed over, as late as can be: until then more is known of what comes after it. All of it is
// decided in one go, or part of it, or part of it is requested. True: a burst's last data were sent.
bool BankedMemory::admit(int number) {
  Queue<Ahead>& ahead = at(number).ahead;
  rules::DdrColumns columns;
  const rules::DdrReads& burst = ahead.front().reads;
  const Choice behind = next_choice(number, 1, burst);
  if (controller_.burst(number, burst, others_from(number, behind), columns)) {
    send_whole(number, ahead.pop(), columns);
    return true;
  }
  // As much of it as leaves the queue full of it and what follows until other reads come.
  const int alone = burst.count + behind.accesses + 1 - config_.part.read_queue;
  for (const int count : {alone - alone % 2, part_accesses_}) {
    if (count < 1 || count >= burst.count) continue;
    const Edge others = others_from(number, {burst.count - count + behind.accesses, behind.ready});
    if (!controller_.burst(number, {burst.address, count, burst.ready}, others, columns)) continue;
    send_whole(number, take_part(ahead, count), columns);
    return false;
  }
  request(number, take_part(ahead, part_accesses_));
  return false;
}

// What is left of a port's oldest burst whose reads wait in order, decided in one go, or as much of it as leaves the
// queue full of what follows until other reads come. `sent`: its last data were.
bool BankedMemory::drain(int number, bool& sent) {
  constexpr int kWorthIt = 4;
  Port& port = at(number);
  if (port.accesses.empty()) return false;
  const Access& first = port.accesses.front();
  const int waiting =
      controller_.waiting_in_order(number, port.accesses_popped, ratio_.fast_at(std::max(port.waited, first.accepted)));
  if (waiting == 0) return false;
  int all = 1;
  while (all < waiting && !port.accesses[static_cast<std::size_t>(all - 1)].last) ++all;
  Choice behind{0, kNever};
  Edge ready = 0;
  if (!port.ahead.empty()) {
    const rules::DdrReads& next = port.ahead.front().reads;
    ready = behind.ready = next.ready;
    if (controller_.follows_waiting(number, next)) {
      behind = next_choice(number, 0, {next.address, 0, next.ready});
      if (!port.accesses[static_cast<std::size_t>(all - 1)].last) all += next.count;
    }
  }
  const int in_order = waiting + behind.accesses, alone = std::min(all, in_order + 1 - config_.part.read_queue);
  int tried = 0;
  for (const int count : {all, all - all % 2, alone - alone % 2}) {
    rules::DdrColumns columns;
    if (count < kWorthIt || count == tried) continue;
    tried = count;
    if (!controller_.drain(number, count, ready, others_from(number, {in_order - count, behind.ready}), columns))
      continue;
    sent = send_waiting(number, count, std::min(count, waiting), columns);
    return true;
  }
  return false;
}

// So many reads of a burst, of which some wait and the others are ahead; true: they are its last ones.
bool BankedMemory::send_waiting(int number, int count, int waiting, const rules::DdrColumns& columns) {
  Port& port = at(number);
  const Access& first = port.accesses.front();
  const auto skipped = static_cast<std::uint32_t>(static_cast<int>(access_bytes_ / beat_bytes_) - first.beats);
  Ahead part{{first.address, count, 0}, first.address + skipped * beat_bytes_, 0, false, first.sink, first.accepted};
  for (int i = 0; i < waiting; ++i) {
    const Access access = port.accesses.pop();
    part.beats += access.beats;
    part.last = access.last;
  }
  port.accesses_popped += waiting;
  if (count > waiting) {
    const Ahead more = take_part(port.ahead, count - waiting);
    part.beats += more.beats;
    part.last = more.last;
  }
  send_whole(number, part, columns);
  steady_ = false;
  return part.last;
}

// A port's next burst, or its first accesses.
BankedMemory::Ahead BankedMemory::take_part(Queue<Ahead>& ahead, int accesses) const {
  if (ahead.front().reads.count <= accesses) return ahead.pop();
  Ahead& burst = ahead.front();
  Ahead part = burst;
  part.reads.count = accesses;
  part.last = false;
  const std::uint64_t end = part.reads.address + static_cast<std::uint64_t>(accesses) * access_bytes_;
  part.beats = static_cast<int>((end - part.address) / beat_bytes_);
  burst.reads.address = burst.address = static_cast<std::uint32_t>(end);
  burst.reads.count -= accesses;
  burst.beats -= part.beats;
  return part;
}

void BankedMemory::request(int number, const Ahead& part) {
  Port& port = at(number);
  const std::uint32_t end = part.address + static_cast<std::uint32_t>(part.beats) * beat_bytes_;
  for (std::uint32_t address = part.address; address < end;) {
    const std::uint32_t next = std::min(end, (access_of(address) + 1) * access_bytes_);
    Access access{};
    access.address = access_of(address) * access_bytes_;
    access.beats = static_cast<int>((next - address + beat_bytes_ - 1) / beat_bytes_);
    access.last = part.last && next == end;
    access.sink = part.sink;
    access.accepted = part.accepted;
    controller_.request(number, false, part.reads.ready, access.address,
                        port.accesses_popped + static_cast<int>(port.accesses.size()));
    port.accesses.push(access);
    address += static_cast<std::uint32_t>(access.beats) * beat_bytes_;
  }
}

// Of a port's reads from `next` on, which come after `last`, the first that are not the next in order: how many
// accesses come before them, and when they are ready; never if there are none.
BankedMemory::Choice BankedMemory::next_choice(int number, std::size_t next, const rules::DdrReads& last) const {
  const Queue<Ahead>& ahead = at(number).ahead;
  const rules::DdrReads* before = &last;
  int accesses = 0;
  for (std::size_t i = next; i < ahead.size(); ++i) {
    if (!controller_.follows(*before, ahead[i].reads)) return {accesses, ahead[i].reads.ready};
    before = &ahead[i].reads;
    accesses += before->count;
  }
  return {accesses, kNever};
}

// The edge by whose pick the port's next reads must be handed over, as far as it is known before the next pick: that at
// which they are ready, or others that do not just follow them are and have room.
Edge BankedMemory::due(int number) const {
  const rules::DdrReads& next = at(number).ahead.front().reads;
  if (!controller_.can_wait(number, next)) return next.ready;
  const Choice choice = next_choice(number, 0, {next.address, 0, next.ready});
  const bool full = controller_.entered() + choice.accesses >= config_.part.read_queue;
  return std::min(next_of_others(number), full ? kNever : choice.ready);
}

// The first edge at which reads enter that may change the picks of some that others are behind, and before these as
// many that are next in order: they do not before the queue has room for them. What is not yet known waits for the end
// of a burst's data, or for something later than what is.
Edge BankedMemory::others_from(int number, const Choice& behind) const {
  const bool enters_later = behind.accesses + 1 >= config_.part.read_queue;
  return std::min(next_of_others(number), enters_later ? kNever : behind.ready);
}

// All before it have been sent, and nothing of it waits while it is the oldest.
void BankedMemory::send_whole(int number, const Ahead& part, const rules::DdrColumns& columns) {
  Port& port = at(number);
  const Edge before = port.waited;
  Edge last = before;
  const int runs = send_runs(part, columns, last);
  waits(number).add(std::max(before, part.accepted), last, ReadWait::none);
  port.waited = last;
  steady_ = part.last && runs == 1 && data_ready(columns.first) <= before + 1 &&
            columns.first == part.reads.ready + 1 && !columns.swapped;
  columns_ = columns;
}

// In runs of beats without a gap, of which it returns how many. Beats of one access wait for none of the next where the
// memory is the faster. `last` becomes no earlier than the last beat.
int BankedMemory::send_runs(const Ahead& part, const rules::DdrColumns& columns, Edge& last) const {
  const int in_access = static_cast<int>(access_bytes_ / beat_bytes_), count = part.reads.count;
  int beats = std::min(part.beats, in_access - static_cast<int>(part.address % access_bytes_ / beat_bytes_));
  Edge from = data_ready(columns[0]);
  const Edge spacing = std::max(columns.step, columns.pair - columns.step);
  const bool faster = spacing <= in_access * ratio_.fast_at(1);
  if (count == 1 || (faster && data_ready(columns[1]) <= from + beats && (!columns.swapped || beats == in_access))) {
    last = std::max(last, part.sink->data(part.beats, from));
    return 1;
  }
  int runs = 1, left = part.beats - beats;
  for (int i = 1; i < count; ++i) {
    const Edge ready = data_ready(columns[i]);
    if (ready > from + beats) {
      part.sink->data(beats, from);
      from = ready, beats = 0;
      ++runs;
    }
    const int more = std::min(left, in_access);
    beats += more, left -= more;
  }
  last = std::max(last, part.sink->data(beats, from));
  return runs;
}

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
  rules::DdrEvent event;
  while (true) {
    bool sent = false;
    if (event.picked && !event.write && drain(event.port, sent) && sent) return true;
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
    if (controller_.next(std::max(edge, until), event) && handle(event)) return true;
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
  if (oldest.memory_arrival == kNever) {
    port.waited = std::max(edge, ratio_.slow_after(memory_edge - 1));
    waits(number).add(edge, port.waited, ReadWait::none);
    return kNever;
  }
  Edge seen = ratio_.fast_at(edge);
  if (seen >= memory_edge) return seen;
  const rules::DdrRequest read{oldest.memory_arrival, config_.part.mapping(oldest.address), number, 0};
  for (; seen < memory_edge; seen = ratio_.fast_at(++edge))
    waits(number).add(edge, edge + 1, seen <= read.arrival ? ReadWait::none : controller_.why(read, seen));
  port.waited = edge;
  return seen;
}

// Of a picked one.
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
  if (!controller_.burst(0, last, kNever, columns))
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
