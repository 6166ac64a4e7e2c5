// SPDX-License-Identifier: Apache-2.0
#include "rules/ddr_ports.h"

#include <algorithm>
#include <utility>

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
  std::deque<Access>& queue = direction.ports[static_cast<std::size_t>(port)];
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

bool DdrPorts::next(Edge until, DdrEvent& event, bool each_entry) {
  while (true) {
    const Edge read = entry(false);
    const Edge write = entry(true);
    const Edge first = std::min(read, write);
    if (first <= until && first <= controller_.next_decision()) {
      enter(write < read, first, event);
      if (event.write || each_entry || !has_requests(event.port) || controller_.is_oldest(event.port, event.id))
        return true;
      continue;
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

bool DdrPorts::burst(int port, const DdrReads& reads, bool followed, Edge until, DdrColumns& columns) {
  Direction& direction = directions_[false];
  const std::uint64_t end = reads.address + static_cast<std::uint64_t>(reads.count) * bytes_;
  if (direction.ready != DdrPick::kNever || !in_order(reads.address, end - 1)) return false;
  const Edge arrival = std::max({reads.ready, direction.free, last_pick(part_.read_queue) + 1});
  const bool follows = continues(port, reads.address) && last_pick(1) == controller_.state().decided;
  const std::uint64_t next = in_order(reads.address, reads.address + bytes_) ? reads.address + bytes_ : reads.address;
  const DdrRun run{{row_of(reads.address), row_of(next)}, reads.count, arrival, port, followed, {}};
  if (!controller_.decide_run(run, follows, std::min(until, directions_[true].ready), columns)) return false;
  note(columns);
  last_port_ = port;
  last_end_ = reads.address + static_cast<std::uint64_t>(columns.count) * bytes_;
  direction.free = std::max(arrival + columns.count, last_pick(part_.read_queue + 1) + 2);
  direction.turn = port + 1;
  return true;
}

// The picks of what is decided in one go.
void DdrPorts::note(const DdrColumns& columns) {
  for (int i = std::max(0, columns.count - static_cast<int>(picks_.size())); i < columns.count; ++i)
    picks_[(pick_count_ + static_cast<std::size_t>(i)) % picks_.size()] = columns.pick(i);
  pick_count_ += static_cast<std::size_t>(columns.count);
}

DdrPorts::Waiting DdrPorts::waiting(int port, int id, Edge seen) {
  if (last_port_ != port) return {};
  const int first = controller_.waiting_in_order(seen), entered = this->entered();
  if (first == 0 || controller_.waiting(0).port != port || controller_.waiting(0).id != id) return {};
  const std::deque<Access>& queue = directions_[false].ports[static_cast<std::size_t>(port)];
  for (const std::deque<Access>& other : directions_[false].ports)
    if (&other != &queue && !other.empty()) return {};
  if (!queue.empty()) {
    const std::uint64_t next = queue.front().address, last = queue.back().address;
    if (next != last_end_ || last != next + (queue.size() - 1) * bytes_ || !in_order(last_end_ - 1, last)) return {};
  }
  row_of(last_end_ - bytes_);
  if (!controller_.in_order() && !(controller_.keeps_to_turns(rows_[0]) && controller_.keeps_to_turns(rows_[1])))
    return {};
  const int all = entered + static_cast<int>(queue.size());
  return {first == entered && turns_go_on() ? all : first, all};
}

// The next reads in order to the last one that entered go on to take turns.
bool DdrPorts::turns_go_on() {
  if (controller_.in_order()) return true;
  const std::array<contract::DdrPlace, 2> next = next_rows();
  return next[0].group == controller_.waiting(entered() - 2).place.group &&
         next[1].group == controller_.waiting(entered() - 1).place.group;
}

// Those of the two reads after the last one that entered, if they are in order.
std::array<contract::DdrPlace, 2> DdrPorts::next_rows() {
  const contract::DdrPlace first = row_of(last_end_);
  return {first, rows_[(last_end_ & bytes_) == 0]};
}

bool DdrPorts::follows_waiting(int port, const DdrReads& reads) {
  const std::uint64_t end = last_end_ + directions_[false].ports[static_cast<std::size_t>(port)].size() * bytes_;
  return reads.address == end && in_order(end - 1, end + static_cast<std::uint64_t>(reads.count) * bytes_ - 1) &&
         turns_go_on();
}

// Those that have not entered do so as picks make room for them, one per edge, in time for their own.
bool DdrPorts::drain(int port, int count, const More& more, Edge until, DdrColumns& columns) {
  Direction& direction = directions_[false];
  std::deque<Access>& queue = direction.ports[static_cast<std::size_t>(port)];
  const int waiting = entered(), queued = waiting + static_cast<int>(queue.size());
  DdrRun run{{}, count, 0, port, false, {}};
  run.places = next_rows();
  if (waiting % 2 != 0) std::swap(run.places[0], run.places[1]);
  const Edge room = controller_.room() > 0 ? last_pick(controller_.room()) + 1 : 0;
  // Of the first to enter, unless it waits for the first of these picks.
  const Edge arrival = std::max({queue.empty() ? more.first : queue.front().ready, direction.free, room});
  const auto in_time = [&](int read, Edge ahead) {
    if (read < waiting) return true;
    const Edge ready = read < queued ? queue[static_cast<std::size_t>(read - waiting)].ready : ahead;
    return std::max(arrival, ready) <= controller_.due(waiting);
  };
  if (!in_time(count - 1, more.last)) return false;
  run.followed = more.next != DdrPick::kNever && in_time(count, more.next);
  if (!controller_.decide_waiting(run, std::min(until, directions_[true].ready), columns)) return false;
  note(columns);
  const int entering = columns.count - waiting;
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
  std::deque<Access>& queue = direction.ports[static_cast<std::size_t>(port)];
  const Access access = queue.front();
  queue.pop_front();
  find_ready(direction);
  direction.turn = port + 1;
  direction.free = edge + 1;
  if (!write) {
    last_port_ = port;
    last_end_ = access.address + bytes_;
  }
  controller_.push(write, {edge, row_of(access.address), port, access.id});
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
    const std::deque<Access>& queue = direction.ports[static_cast<std::size_t>(port)];
    if (!queue.empty() && queue.front().ready <= edge) return port;
  }
  return -1;
}

void DdrPorts::find_ready(Direction& direction) {
  direction.ready = DdrPick::kNever;
  for (const std::deque<Access>& queue : direction.ports)
    if (!queue.empty()) direction.ready = std::min(direction.ready, queue.front().ready);
}

void DdrPorts::quiesce(Edge edge) {
  controller_.quiesce(edge);
  for (Direction& direction : directions_) direction.turn = 0, direction.free = 0;
  picks_.assign(picks_.size(), edge - 1);
  pick_count_ = picks_.size();
}

}  // namespace fansim::rules
