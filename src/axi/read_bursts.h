// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "axi/ring.h"
#include "axi/types.h"
#include "sim/clock_domain.h"

namespace fansim::axi {

// The read bursts that a manager has in flight, all of one ID; behind each one's last beat lie `gap` cycles in which it
// takes no data.
class ReadBursts {
 public:
  ReadBursts(int outstanding, int gap) : gap_(gap), beats_(outstanding) {}

  bool full() const { return beats_.full(); }
  bool empty() const { return beats_.empty(); }
  bool in_gap(sim::Edge now) const { return now < take_from_; }

  void issued(int beats) { beats_.push(beats); }
  // Counts a beat popped; what it breaks of AXI's rules, empty if nothing.
  std::string take(const ReadBeat& beat, sim::Edge now);

 private:
  const int gap_;
  Ring<int> beats_;  // still to come, per burst
  sim::Edge take_from_ = 0;
};

}  // namespace fansim::axi
