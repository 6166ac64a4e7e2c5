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
  ReadBursts(int outstanding, int gap) : gap_(gap), in_flight_(outstanding) {}

  bool full() const { return in_flight_.full(); }
  bool empty() const { return in_flight_.empty(); }
  bool in_gap(sim::Edge now) const { return now < take_from_; }
  // Whether the oldest burst is its run's last.
  bool ends_run() const { return in_flight_.front().ends_run; }

  void issued(int beats, bool ends_run) { in_flight_.push({beats, ends_run}); }
  // Counts a beat popped at `now`; says what it breaks, nothing if all is well.
  std::string take(const ReadBeat& beat, sim::Edge now);

 private:
  struct Burst {
    int beats = 0;  // still to come
    bool ends_run = false;
  };
  const int gap_;
  Ring<Burst> in_flight_;
  sim::Edge take_from_ = 0;
};

}  // namespace fansim::axi
