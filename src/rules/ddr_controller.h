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

  // Whether reads wait, in order, and no writes do, and the first waits for nothing but other reads, seen from `seen`
  // on.
  bool waits_in_order(std::int64_t seen) const;
  // As many reads as `run` has, the first of which so wait, the next in order behind them, as pick_run() decides them.
  bool decide_waiting(DdrRun run, std::int64_t until, DdrColumns& columns);
  // Of those: the last edge at which the second must have arrived; one that is number i of them, i edges later.
  std::int64_t due() const { return std::max(waiting(0).arrival, state_.decided); }
  const DdrRequest& waiting(int read) const { return reads_.queue().requests[read]; }

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
  DdrHeads heads() const { return {reads_.queue(), writes_.queue()}; }

  const contract::DdrPart part_;
  BankedDdrState state_;
  DdrBacklog reads_, writes_;
  std::int64_t next_ = DdrPick::kNever;
};

}  // namespace fansim::rules
