// SPDX-License-Identifier: Apache-2.0
#include "benches/memory/controller.h"

#include <algorithm>

#include "base/units.h"

namespace fansim::benches {

namespace {
constexpr bool kReads = false, kWrites = true;
constexpr std::uint32_t kIdMask = 0xffffff;  // numbers the column reads that the memory returns
}  // namespace

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
    const auto index = static_cast<std::uint32_t>(pick.id) - static_cast<std::uint32_t>(master.first_asked);
    master.asked[index & kIdMask].done = pick.end + clocks(front_.return_latency);
  }
}

// Returns data in the order in which a master asked, one beat of the port's width per clock.
void Controller::return_data(Edge now) {
  for (Port& port : ports_) {
    if (port.read_free > now) continue;
    const int count = static_cast<int>(port.masters.size());
    for (int i = 0; i < count; ++i) {
      const int turn = (port.read_turn + i) % count;
      Master& master = masters_[static_cast<std::size_t>(port.masters[static_cast<std::size_t>(turn)])];
      if (master.asked.empty()) continue;
      const Asked asked = master.asked.front();
      if (asked.done < 0 || asked.done > now) continue;
      master.asked.pop_front();
      ++master.first_asked;
      port.read_free = now + clocks(base::ceil_div(asked.bytes * 8, front_.data_bits));
      port.read_turn = asked.last ? (turn + 1) % count : turn;
      port.reads -= asked.last;
      master.data.push_back({port.read_free, asked.bytes, asked.last});
      break;
    }
  }
}

// Selects the master whose transaction continues or begins.
bool Controller::select(Port& port, bool write, Edge now) {
  if (port.current[write] >= 0) return true;
  if (!write && port.reads >= front_.read_issue) return false;
  const int count = static_cast<int>(port.masters.size());
  for (int i = 0; i < count; ++i) {
    const int turn = (port.turn[write] + i) % count;
    const int master = port.masters[static_cast<std::size_t>(turn)];
    const std::deque<Waiting>& waiting = masters_[static_cast<std::size_t>(master)].waiting[write];
    if (waiting.empty() || waiting.front().ready > now) continue;
    port.current[write] = master;
    port.turn[write] = (turn + 1) % count;
    port.reads += !write;
    return true;
  }
  return false;
}

bool Controller::queue_read(int master, const Waiting& waiting, Edge now) {
  if (!ddr_.can_push(kReads)) return false;
  const Master& asker = masters_[static_cast<std::size_t>(master)];
  const std::int64_t number = asker.first_asked + static_cast<std::int64_t>(asker.asked.size());
  ddr_.push(kReads, {now + clocks(front_.latency), part_.mapping(waiting.next), master,
                     static_cast<int>(number & std::int64_t{kIdMask})});
  return true;
}

bool Controller::queue_write(Port& port, int master, const Waiting& waiting, Edge now) {
  if (port.write_free > now || queue_free_ > now) return false;
  if (!front_.write_combining || combinable_.count(waiting.next) == 0) {
    if (!ddr_.can_push(kWrites)) return false;
    const int id = free_ids_.back();
    free_ids_.pop_back();
    write_address_[static_cast<std::size_t>(id)] = waiting.next;
    combinable_.insert(waiting.next);
    ddr_.push(kWrites, {now + clocks(front_.latency), part_.mapping(waiting.next), master, id});
  }
  queue_free_ = now + clocks(base::ceil_div(part_.access_bytes() * 8, front_.queue_bits));
  return true;
}

bool Controller::grant(Port& port, bool write, Edge now) {
  if (port.masters.empty() || !select(port, write, now)) return false;
  const int m = port.current[write];
  Master& master = masters_[static_cast<std::size_t>(m)];
  Waiting& waiting = master.waiting[write].front();
  if (!(write ? queue_write(port, m, waiting, now) : queue_read(m, waiting, now))) return false;
  const std::uint64_t begin = std::max(waiting.next, waiting.transaction.address);
  const std::uint64_t end = waiting.transaction.address + static_cast<std::uint64_t>(waiting.transaction.bytes);
  waiting.next += static_cast<std::uint64_t>(part_.access_bytes());
  const bool last = waiting.next >= end;
  const auto bytes = static_cast<int>(std::min(waiting.next, end) - begin);
  if (write)
    port.write_free = now + clocks(base::ceil_div(bytes * 8, front_.data_bits));
  else
    master.asked.push_back({-1, bytes, last});
  if (!last) return true;
  if (write) master.written.push_back(port.write_free + clocks(front_.latency));
  master.waiting[write].pop_front();
  port.current[write] = -1;
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

}  // namespace fansim::benches
