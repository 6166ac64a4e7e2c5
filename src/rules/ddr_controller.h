// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "rules/ddr_backlog.h"

namespace fansim::rules {

// The queues of a banked DDR's controller and its decisions in the order of their edges. They may be asked for late,
// because nothing but the requests pushed before an edge decides it; then every request that arrived earlier than that
// edge must have been pushed.
class DdrController {
 public:
  explicit DdrController(const contract::DdrPart& part);

  bool can_push(bool write) const { return !(write ? writes_ : reads_).full(); }
  // How many more reads it can hold.
  int room() const { return part_.read_queue - static_cast<int>(reads_.size()); }
  // Arrivals never decrease; requests of one edge come by port.
  void push(bool write, const DdrRequest& request);
  bool empty() const { return reads_.empty() && writes_.empty(); }

  // The next pick at an edge of at most `until`, found or not.
  DdrPick decide(std::int64_t until);
  // The first edge at which decide() can find one, as far as the requests pushed so far tell.
  std::int64_t next_decision() const { return next_; }

  // pick_run() on an empty controller.
  bool decide_run(const DdrRun& run, bool follows, std::int64_t until, DdrColumns& columns) {
    return empty() && pick_run(state_, part_, run, follows, until, columns);
  }

  // How many reads wait in order, no writes, the first for nothing but other reads, seen from `seen` on, and any others
  // for them.
  int waiting_in_order(std::int64_t seen) const;
  // As many reads as `run` has, the first of which so wait, the next in order behind them, as pick_run() decides them.
  bool decide_waiting(DdrRun run, std::int64_t until, DdrColumns& columns);
  // Of those: the last edge at which number i, from 1 on, must have arrived.
  std::int64_t due(int i) const {
    return i == 1 ? std::max(waiting(0).arrival + 1, state_.decided) : std::max(waiting(0).arrival, state_.decided) + i;
  }
  const DdrRequest& waiting(int read) const { return reads_.queue().requests[read]; }

  // Whether the reads that wait, if any, are in order with nothing left out.
  bool in_order() const {
    const int last = static_cast<int>(reads_.size()) - 1;
    return reads_.in_order() && (last < 0 || waiting(last).id == waiting(0).id + last);
  }
  // Whether reads to a place leave those their turns: to an open row, in one of their groups if another would be
  // sooner.
  bool keeps_to_turns(const contract::DdrPlace& place) const {
    return bank(place).row == place.row && (part_.tccd_l <= 2 * part_.tccd_s || place.group == waiting(0).place.group ||
                                            place.group == waiting(1).place.group);
  }
  // Of a read that waits; never, if it does not.
  std::int64_t arrival(int port, int id) const {
    const DdrQueue queue = reads_.queue();
    const DdrRequest *const end = queue.requests + queue.size, *read = queue.requests;
    while (read != end && (read->port != port || read->id != id)) ++read;
    return read == end ? DdrPick::kNever : read->arrival;
  }
  // Of a port's reads that wait.
  bool is_oldest(int port, int id) const {
    int read = 0;
    while (waiting(read).port != port) ++read;
    return waiting(read).id == id;
  }

  // stays_first() of a read that is not pushed yet, and whose like continue the reads that wait.
  bool stays_first(const DdrRequest& next) const {
    return reads_.in_order() && rules::stays_first(state_, part_, heads(), next);
  }

  // What a pushed read that arrived before `edge` and is not picked waits for there, after decide(edge).
  ReadWait why(const DdrRequest& read, std::int64_t edge) const;

  // With empty queues: the state of a fresh start at `edge`.
  void quiesce(std::int64_t edge);

  BankedDdrState& state() { return state_; }
  const BankedDdrState& state() const { return state_; }

 private:
  const DdrBank& bank(const contract::DdrPlace& place) const {
    return state_.banks[static_cast<std::size_t>(place.bank)];
  }
  int waiting_in_turns() const;
  DdrHeads heads() const { return {reads_.queue(), writes_.queue()}; }

  const contract::DdrPart part_;
  BankedDdrState state_;
  DdrBacklog reads_, writes_;
  std::int64_t next_ = DdrPick::kNever;
};

}  // namespace fansim::rules
