// SPDX-License-Identifier: Apache-2.0
#include "rules/ddr_ports.h"

#include <algorithm>

namespace fansim::rules {

using Edge = std::int64_t;

DdrPorts::DdrPorts(const contract::DdrPart& part, int ports, bool priority)
    : part_(part), priority_(priority), controller_(part), picks_(static_cast<std::size_t>(part.read_queue) + 1) {
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
  const std::uint64_t bytes = static_cast<std::uint64_t>(part_.access_bytes());
  const std::uint64_t end = reads.address + static_cast<std::uint64_t>(reads.count) * bytes;
  if (direction.ready != DdrPick::kNever || !in_order(reads.address, end - 1)) return false;
  const Edge arrival = std::max({reads.ready, direction.free, last_pick(part_.read_queue) + 1});
  const bool follows = continues(port, reads.address) && last_pick(1) == controller_.state().decided;
  const std::uint64_t next = in_order(reads.address, reads.address + bytes) ? reads.address + bytes : reads.address;
  const DdrRun run{{row_of(reads.address), row_of(next)}, reads.count, arrival, port};
  if (!controller_.decide_run(run, follows, std::min(until, directions_[true].ready), columns)) return false;
  for (int i = std::max(0, reads.count - static_cast<int>(picks_.size())); i < reads.count; ++i)
    picks_[(pick_count_ + static_cast<std::size_t>(i)) % picks_.size()] = columns[i];
  pick_count_ += static_cast<std::size_t>(reads.count);
  last_port_ = port;
  last_end_ = end;
  direction.free = std::max(arrival + reads.count, last_pick(part_.read_queue + 1) + 2);
  direction.turn = port + 1;
  return true;
}

bool DdrPorts::follows(const DdrReads& reads, const DdrReads& next) const {
  const std::uint64_t bytes = static_cast<std::uint64_t>(part_.access_bytes());
  const std::uint64_t end = next.address + static_cast<std::uint64_t>(next.count) * bytes;
  return next.address == reads.address + static_cast<std::uint64_t>(reads.count) * bytes &&
         in_order(reads.address, end - 1);
}

bool DdrPorts::can_wait(int port, const DdrReads& reads) const {
  return directions_[false].ready == DdrPick::kNever && continues(port, reads.address) &&
         controller_.stays_first({reads.ready, part_.mapping(reads.address), port, 0});
}

// Its place but for the column.
const contract::DdrPlace& DdrPorts::row_of(std::uint64_t address) {
  const std::uint64_t size = part_.mapping.in_order_bytes(), bytes = static_cast<std::uint64_t>(part_.access_bytes());
  if (block_ != (address & ~(size - 1))) {
    block_ = address & ~(size - 1);
    rows_ = {part_.mapping(block_), part_.mapping(block_ + (size > bytes ? bytes : 0))};
  }
  return rows_[(address & bytes) != 0];
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
    last_end_ = access.address + static_cast<std::uint64_t>(part_.access_bytes());
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
