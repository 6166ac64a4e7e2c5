// SPDX-License-Identifier: Apache-2.0
#include "memory_path/controller.h"

#include <algorithm>

namespace fansim::memory_path {

namespace {
constexpr bool kRead = false, kWrite = true;
}

Controller::Controller(const FrontConfig& front, const contract::DdrPart& part, const std::vector<int>& masters)
    : front_(front), part_(part), ddr_(part) {
  for (std::size_t m = 0; m < masters.size(); ++m) {
    Master master;
    master.port = masters[m];
    masters_.push_back(master);
    if (ports_.size() <= static_cast<std::size_t>(masters[m])) ports_.resize(static_cast<std::size_t>(masters[m]) + 1);
    ports_[static_cast<std::size_t>(masters[m])].masters.push_back(static_cast<int>(m));
  }
  write_address_.resize(static_cast<std::size_t>(part.write_queue));
  for (int i = part.write_queue; i-- > 0;) free_ids_.push_back(i);
}

void Controller::submit(int master, bool write, const Transaction& transaction, Edge ready) {
  const auto access = static_cast<std::uint64_t>(part_.access_bytes());
  masters_[static_cast<std::size_t>(master)].waiting[write].push_back(
      {transaction, ready, transaction.address / access * access});
}

void Controller::decide(Edge now) {
  for (rules::DdrPick pick = ddr_.decide(now); pick.found; pick = ddr_.decide(now)) {
    if (pick.write) {
      combinable_.erase(write_address_[static_cast<std::size_t>(pick.id)]);
      free_ids_.push_back(pick.id);
      continue;
    }
    Master& master = masters_[static_cast<std::size_t>(pick.port)];
    master.asked[static_cast<std::size_t>(pick.id - static_cast<int>(master.first_asked & 0xffffff)) & 0xffffff].done =
        pick.end;
  }
}

// In a master's order, one beat of the port's width per clock.
void Controller::return_data(Edge now) {
  for (Port& port : ports_) {
    if (port.read_free > now) continue;
    const int count = static_cast<int>(port.masters.size());
    for (int i = 0; i < count; ++i) {
      const int turn = (port.read_turn + i) % count;
      Master& master = masters_[static_cast<std::size_t>(port.masters[static_cast<std::size_t>(turn)])];
      if (master.asked.empty()) continue;
      const Asked& asked = master.asked.front();
      if (asked.done < 0 || asked.done > now) continue;
      const int beats = (asked.bytes * 8 + front_.data_bits - 1) / front_.data_bits;
      port.read_free = now + Edge{beats} * front_.memory_clocks;
      master.data.push_back({port.read_free, asked.bytes, asked.last});
      if (asked.last) port.read_turn = (turn + 1) % count;
      else port.read_turn = turn;
      master.asked.pop_front();
      ++master.first_asked;
      break;
    }
  }
}

// Chooses the master whose transaction goes on or begins.
bool Controller::ready(Port& port, bool write, Edge now) {
  if (port.current[write] >= 0) return true;
  const int count = static_cast<int>(port.masters.size());
  for (int i = 0; i < count; ++i) {
    const int turn = (port.turn[write] + i) % count;
    const Master& master = masters_[static_cast<std::size_t>(port.masters[static_cast<std::size_t>(turn)])];
    if (master.waiting[write].empty() || master.waiting[write].front().ready > now) continue;
    port.current[write] = port.masters[static_cast<std::size_t>(turn)];
    port.turn[write] = (turn + 1) % count;
    return true;
  }
  return false;
}

bool Controller::grant(Port& port, bool write, Edge now) {
  if (port.masters.empty() || !ready(port, write, now)) return false;
  const int m = port.current[write];
  Master& master = masters_[static_cast<std::size_t>(m)];
  Waiting& waiting = master.waiting[write].front();
  const Edge arrival = now + Edge{front_.latency} * front_.memory_clocks;
  if (write) {
    if (port.write_free > now || queue_free_ > now) return false;
    const bool combines = front_.write_combining && combinable_.count(waiting.next) > 0;
    if (!combines && !ddr_.can_push(kWrite)) return false;
    if (!combines) {
      const int id = free_ids_.back();
      free_ids_.pop_back();
      write_address_[static_cast<std::size_t>(id)] = waiting.next;
      combinable_.emplace(waiting.next, id);
      ddr_.push(kWrite, {arrival, part_.mapping(waiting.next), m, id});
    }
    const int bits = part_.access_bytes() * 8;
    port.write_free = now + Edge{(bits + front_.data_bits - 1) / front_.data_bits} * front_.memory_clocks;
    queue_free_ = now + Edge{(bits + front_.queue_bits - 1) / front_.queue_bits} * front_.memory_clocks;
  } else {
    if (!ddr_.can_push(kRead)) return false;
    const int id = static_cast<int>((master.first_asked + static_cast<std::int64_t>(master.asked.size())) & 0xffffff);
    ddr_.push(kRead, {arrival, part_.mapping(waiting.next), m, id});
  }
  const std::uint64_t begin = std::max(waiting.next, waiting.transaction.address);
  waiting.next += static_cast<std::uint64_t>(part_.access_bytes());
  const std::uint64_t stop = waiting.transaction.address + static_cast<std::uint64_t>(waiting.transaction.bytes);
  const bool done = waiting.next >= stop;
  if (!write) master.asked.push_back({-1, static_cast<int>(std::min(waiting.next, stop) - begin), done});
  if (done) {
    if (write) master.written.push_back(port.write_free);
    master.waiting[write].pop_front();
    port.current[write] = -1;
  }
  return true;
}

void Controller::step(Edge now) {
  decide(now);
  return_data(now);
  const int slots = 2 * static_cast<int>(ports_.size());
  for (int i = 0; i < slots; ++i) {
    const int slot = (turn_ + i) % slots;
    if (!grant(ports_[static_cast<std::size_t>(slot / 2)], slot % 2 == 1, now)) continue;
    turn_ = slot + 1;
    break;
  }
}

}  // namespace fansim::memory_path
