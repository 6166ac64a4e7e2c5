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

  bool can_push(bool write) const { return room(write) > 0; }
  // How many more accesses it can hold.
  int room(bool write) const { return (write ? writes_ : reads_).room(); }
  // Arrivals never decrease; requests of one edge come by port.
  void push(bool write, const DdrRequest& request);
  bool empty() const { return reads_.empty() && writes_.empty(); }

  // The next pick at an edge of at most `until`, found or not.
  DdrPick decide(std::int64_t until);
  // The first edge at which decide() can find one, as far as the requests pushed so far tell.
  std::int64_t next_decision() const { return next_; }

  // What a pushed read that arrived before `edge` and is not picked waits for there, after decide(edge).
  ReadWait why(const DdrRequest& read, std::int64_t edge) const;

  // With empty queues: the state of a fresh start at `edge`.
  void quiesce(std::int64_t edge);

  DdrHeads heads() const { return {reads_.queue(), writes_.queue()}; }
  // The oldest reads, so many, leave: their picks are in the state.
  void drop_reads(int count);

  BankedDdrState& state() { return state_; }
  const BankedDdrState& state() const { return state_; }

 private:
  const contract::DdrPart part_;
  BankedDdrState state_;
  DdrBacklog reads_, writes_;
  std::int64_t next_ = DdrPick::kNever;
};

}  // namespace fansim::rules
