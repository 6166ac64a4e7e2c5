// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "axi/ring.h"
#include "axi/types.h"
#include "sim/clock_domain.h"

namespace fansim::axi {

// The read bursts that a manager has in flight, all with one ID. After each burst's last beat come `gap` cycles in
// which the manager takes no data.
class ReadBursts {
 public:
  ReadBursts(int outstanding, int gap) : gap_(gap), in_flight_(outstanding) {}

  bool full() const { return in_flight_.full(); }
  bool empty() const { return in_flight_.empty(); }
  bool in_gap(sim::Edge now) const { return now < take_from_; }
  // Returns whether the oldest burst is the last one of its extent.
  bool ends_extent() const { return in_flight_.front().ends_extent; }

  void issued(int beats, bool ends_extent) { in_flight_.push({beats, ends_extent}); }
  // Counts a beat that is popped at `now`. Returns which rule it breaks, or an empty text.
  std::string take(const ReadBeat& beat, sim::Edge now);

 private:
  struct Burst {
    int beats = 0;  // still to come
    bool ends_extent = false;
  };
  const int gap_;
  Ring<Burst> in_flight_;
  sim::Edge take_from_ = 0;
};

}  // namespace fansim::axi
