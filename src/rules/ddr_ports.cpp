// SPDX-License-Identifier: Apache-2.0
#include "rules/ddr_ports.h"

#include <algorithm>

namespace fansim::rules {

using Edge = std::int64_t;

DdrPorts::DdrPorts(const contract::DdrPart& part, int ports, bool priority)
    : part_(part), priority_(priority), controller_(part) {
  for (Direction& direction : directions_) direction.ports.resize(static_cast<std::size_t>(ports));
}

void DdrPorts::request(int port, bool write, Edge ready, std::uint64_t address, int id) {
  Direction& direction = directions_[write];
  std::deque<DdrAccess>& queue = direction.ports[static_cast<std::size_t>(port)];
  if (queue.empty()) direction.ready = std::min(direction.ready, ready);
  queue.push_back({ready, address, id});
}

Edge DdrPorts::entry(bool write) const {
  const Direction& direction = directions_[write];
  if (direction.ready == DdrPick::kNever || !controller_.can_push(write)) return DdrPick::kNever;
  return std::max(direction.ready, direction.free);
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
    // A controller that was full has room from the next edge on.
    Direction& direction = directions_[event.write];
    if (controller_.room(event.write) == 1) direction.free = std::max(direction.free, event.edge + 1);
    return true;
  }
}

void DdrPorts::enter(bool write, Edge edge, DdrEvent& event) {
  Direction& direction = directions_[write];
  const int port = choose(direction, edge);
  std::deque<DdrAccess>& queue = direction.ports[static_cast<std::size_t>(port)];
  const DdrAccess access = queue.front();
  queue.pop_front();
  find_ready(direction);
  direction.turn = port + 1;
  direction.free = edge + 1;
  controller_.push(write, {edge, part_.mapping(access.address), port, access.id});
  event.picked = false;
  event.write = write;
  event.port = port;
  event.id = access.id;
  event.edge = edge;
  event.address = access.address;
}

int DdrPorts::choose(const Direction& direction, Edge edge) const {
  const int count = static_cast<int>(direction.ports.size());
  for (int i = 0; i < count; ++i) {
    const int port = priority_ ? i : (direction.turn + i) % count;
    const std::deque<DdrAccess>& queue = direction.ports[static_cast<std::size_t>(port)];
    if (!queue.empty() && queue.front().ready <= edge) return port;
  }
  return -1;
}

void DdrPorts::find_ready(Direction& direction) {
  direction.ready = DdrPick::kNever;
  for (const std::deque<DdrAccess>& queue : direction.ports)
    if (!queue.empty()) direction.ready = std::min(direction.ready, queue.front().ready);
}

void DdrPorts::drop_reads(int port, int waiting, int entering) {
  controller_.drop_reads(waiting);
  if (entering == 0) return;
  Direction& direction = directions_[false];
  std::deque<DdrAccess>& queue = direction.ports[static_cast<std::size_t>(port)];
  for (int i = 0; i < entering && !queue.empty(); ++i) queue.pop_front();
  find_ready(direction);
  direction.turn = port + 1;
}

void DdrPorts::quiesce(Edge edge) {
  controller_.quiesce(edge);
  for (Direction& direction : directions_) {
    direction.turn = 0;
    direction.free = 0;
  }
}

}  // namespace fansim::rules
