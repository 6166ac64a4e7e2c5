// SPDX-License-Identifier: Apache-2.0
#include "rules/ddr_ports.h"

#include <algorithm>

namespace fansim::rules {

using Edge = std::int64_t;

DdrPorts::DdrPorts(const contract::DdrPart& part, int ports, bool priority)
    : part_(part),
      bytes_(static_cast<std::uint64_t>(part.access_bytes())),
      priority_(priority),
      controller_(part),
      picks_(static_cast<std::size_t>(part.read_queue) + 1) {
  quiesce(0);
  for (Direction& direction : directions_) direction.ports.resize(static_cast<std::size_t>(ports));
}

void DdrPorts::request(int port, bool write, Edge ready, std::uint64_t address, int id) {
  Direction& direction = directions_[write];
  std::deque<Waiting>& queue = direction.ports[static_cast<std::size_t>(port)];
  if (queue.empty()) direction.ready = std::min(direction.ready, ready);
  queue.push_back({ready, address, id});
}

Edge DdrPorts::entry(bool write) const {
  const Direction& direction = directions_[write];
  if (direction.ready == DdrPick::kNever || !controller_.can_push(write)) return DdrPick::kNever;
  const Edge edge = std::max(direction.ready, direction.free);
  return write ? edge : std::max(edge, last_pick(controller_.room()) + 1);
}

// The `back`-th last one.
Edge DdrPorts::last_pick(int back) const {
  return picks_[(pick_count_ - static_cast<std::size_t>(back)) % picks_.size()];
}

Edge DdrPorts::next_edge() const { return std::min({entry(false), entry(true), controller_.next_decision()}); }

bool DdrPorts::next(Edge until, DdrEvent& event) {
  while (true) {
    const Edge read = entry(false);
    const Edge write = entry(true);
    const Edge first = std::min(read, write);
    if (first <= until && first <= controller_.next_decision()) {
      enter(write < read, first, event);
      return true;
    }
    const Edge limit = std::min(until, first - 1);  // at one edge accesses enter before the pick
    if (controller_.next_decision() > limit) return false;
    event.pick = controller_.decide(limit);
    if (!event.pick.found) continue;
    event.picked = true;
    event.write = event.pick.write;
    event.port = event.pick.port;
    event.id = event.pick.id;
    event.edge = event.pick.edge;
    if (event.write)
      directions_[true].free = std::max(directions_[true].free, event.edge + 1);
    else
      picks_[pick_count_++ % picks_.size()] = event.edge;
    return true;
  }
}

bool DdrPorts::burst(int port, const DdrReads& reads, Edge until, DdrColumns& columns) {
  Direction& direction = directions_[false];
  const std::uint64_t end = reads.address + static_cast<std::uint64_t>(reads.count) * bytes_;
  if (direction.ready != DdrPick::kNever || !in_order(reads.address, end - 1)) return false;
  const Edge arrival = std::max({reads.ready, direction.free, last_pick(part_.read_queue) + 1});
  const bool follows = continues(port, reads.address) && last_pick(1) == controller_.state().decided;
  const std::uint64_t next = in_order(reads.address, reads.address + bytes_) ? reads.address + bytes_ : reads.address;
  const DdrRun run{{row_of(reads.address), row_of(next)}, reads.count, arrival, port};
  if (!controller_.decide_run(run, follows, std::min(until, directions_[true].ready), columns)) return false;
  for (int i = std::max(0, reads.count - static_cast<int>(picks_.size())); i < reads.count; ++i)
    picks_[(pick_count_ + static_cast<std::size_t>(i)) % picks_.size()] = columns.pick(i);
  pick_count_ += static_cast<std::size_t>(reads.count);
  last_port_ = port;
  last_end_ = end;
  direction.free = std::max(arrival + reads.count, last_pick(part_.read_queue + 1) + 2);
  direction.turn = port + 1;
  return true;
}

int DdrPorts::waiting_in_order(int port, int id, Edge seen) const {
  if (last_port_ != port || !controller_.waits_in_order(seen)) return 0;
  const int waiting = entered();
  if (controller_.waiting(0).port != port || controller_.waiting(0).id != id) return 0;
  if (controller_.waiting(waiting - 1).id != id + waiting - 1) return 0;
  const std::deque<Waiting>& queue = directions_[false].ports[static_cast<std::size_t>(port)];
  for (const std::deque<Waiting>& other : directions_[false].ports)
    if (&other != &queue && !other.empty()) return 0;
  if (queue.empty()) return waiting;
  const std::uint64_t first = queue.front().address, last = queue.back().address;
  if (first != last_end_ || last != first + (queue.size() - 1) * bytes_) return 0;
  return in_order(last_end_ - 1, last) ? waiting + static_cast<int>(queue.size()) : 0;
}

bool DdrPorts::follows_waiting(int port, const DdrReads& reads) const {
  const std::uint64_t end = last_end_ + directions_[false].ports[static_cast<std::size_t>(port)].size() * bytes_;
  return reads.address == end && in_order(end - 1, end + static_cast<std::uint64_t>(reads.count) * bytes_ - 1);
}

// Those that have not entered do so as picks make room for them, one per edge, in time for their own.
bool DdrPorts::drain(int port, int count, Edge ready, Edge until, DdrColumns& columns) {
  Direction& direction = directions_[false];
  std::deque<Waiting>& queue = direction.ports[static_cast<std::size_t>(port)];
  const int waiting = entered(), entering = count - waiting;
  DdrRun run{{}, count, 0, port};
  if (waiting == 1) run.places[1] = row_of(last_end_);
  Edge arrival = 0;  // of the first to enter, unless it waits for the first of these picks
  if (entering > 0) {
    const bool more = entering > static_cast<int>(queue.size());
    const Edge room = controller_.room() > 0 ? last_pick(controller_.room()) + 1 : 0;
    arrival = std::max({queue.empty() ? ready : queue.front().ready, direction.free, room});
    const Edge last_ready = more ? ready : queue[static_cast<std::size_t>(entering) - 1].ready;
    if (std::max(arrival, last_ready) > controller_.due() + (waiting == 1 ? 0 : waiting)) return false;
  }
  if (!controller_.decide_waiting(run, std::min(until, directions_[true].ready), columns)) return false;
  for (int i = 0; i < count; ++i) picks_[pick_count_++ % picks_.size()] = columns.pick(i);
  if (entering <= 0) return true;
  for (int i = 0; i < entering && !queue.empty(); ++i) queue.pop_front();
  find_ready(direction);
  last_end_ += static_cast<std::uint64_t>(entering) * bytes_;
  direction.free = std::max(arrival + entering, last_pick(part_.read_queue + 1) + 2);
  direction.turn = port + 1;
  return true;
}

bool DdrPorts::follows(const DdrReads& reads, const DdrReads& next) const {
  const std::uint64_t end = next.address + static_cast<std::uint64_t>(next.count) * bytes_;
  return next.address == reads.address + static_cast<std::uint64_t>(reads.count) * bytes_ &&
         in_order(reads.address, end - 1);
}

bool DdrPorts::can_wait(int port, const DdrReads& reads) const {
  return directions_[false].ready == DdrPick::kNever && continues(port, reads.address) &&
         controller_.stays_first({reads.ready, part_.mapping(reads.address), port, 0});
}

// Its place but for the column.
const contract::DdrPlace& DdrPorts::row_of(std::uint64_t address) {
  const std::uint64_t size = part_.mapping.in_order_bytes();
  if (block_ != (address & ~(size - 1))) {
    block_ = address & ~(size - 1);
    rows_ = {part_.mapping(block_), part_.mapping(block_ + (size > bytes_ ? bytes_ : 0))};
  }
  return rows_[(address & bytes_) != 0];
}

// Next in order to the last read.
bool DdrPorts::continues(int port, std::uint64_t address) const {
  return port == last_port_ && address == last_end_ && in_order(last_end_ - 1, address);
}

bool DdrPorts::in_order(std::uint64_t address, std::uint64_t next) const {
  return (address ^ next) < part_.mapping.in_order_bytes();
}

void DdrPorts::enter(bool write, Edge edge, DdrEvent& event) {
  Direction& direction = directions_[write];
  const int port = choose(direction, edge);
  std::deque<Waiting>& queue = direction.ports[static_cast<std::size_t>(port)];
  const Waiting access = queue.front();
  queue.pop_front();
  find_ready(direction);
  direction.turn = port + 1;
  direction.free = edge + 1;
  if (!write) {
    last_port_ = port;
    last_end_ = access.address + bytes_;
  }
  controller_.push(write, {edge, part_.mapping(access.address), port, access.id});
  event.picked = false;
  event.write = write;
  event.port = port;
  event.id = access.id;
  event.edge = edge;
}

int DdrPorts::choose(const Direction& direction, Edge edge) const {
  const int count = static_cast<int>(direction.ports.size());
  for (int i = 0; i < count; ++i) {
    const int port = priority_ ? i : (direction.turn + i) % count;
    const std::deque<Waiting>& queue = direction.ports[static_cast<std::size_t>(port)];
    if (!queue.empty() && queue.front().ready <= edge) return port;
  }
  return -1;
}

void DdrPorts::find_ready(Direction& direction) {
  direction.ready = DdrPick::kNever;
  for (const std::deque<Waiting>& queue : direction.ports)
    if (!queue.empty()) direction.ready = std::min(direction.ready, queue.front().ready);
}

void DdrPorts::quiesce(Edge edge) {
  controller_.quiesce(edge);
  for (Direction& direction : directions_) direction.turn = 0, direction.free = 0;
  picks_.assign(picks_.size(), edge - 1);
  pick_count_ = picks_.size();
}

}  // namespace fansim::rules
