// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "rules/burst.h"
#include "timing/edge.h"

namespace fansim::timing::trains {

// All bursts of a read that asks for each burst before the one before it has left the bus, as long as the memory
// answers within `longest_latency` edges: nothing but refreshes and writes can come between them.
struct ReadTrain {
  Edge arrival = 0;          // of the first burst
  Edge longest_latency = 0;  // of the memory, from grant to first beat
  rules::BurstStarts starts;
};

// The bursts of a write, as the bus sees them: the edges of the decisions on the first and on the last burst, and when
// the last burst holds the bus.
struct WriteOnBus {
  Edge first = kNever, last = kNever;
  Span burst;

  void shift(Edge by) {
    first += by;
    last += by;
    burst.from += by;
    burst.to += by;
  }
};

// Where a write meets the read train that is running. Nothing else is on the bus.
struct Meeting {
  Edge at = 0;             // the first decision on the write, if the read goes on until then
  std::int64_t beat = 0;   // of the read: the first beat behind that decision
  std::int64_t last = 0;   // of the read: up to this beat all its bursts have one length
  std::int64_t train = 0;  // the number of the read train
  Edge refresh_due = 0;    // the next refresh
  bool behind = false;     // they do not meet: the read is over before, and before the next refresh
};

}  // namespace fansim::timing::trains
