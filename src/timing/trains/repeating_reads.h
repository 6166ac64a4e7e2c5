// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "timing/edge.h"
#include "timing/replay/period.h"

namespace fansim::timing::trains {

// A memory with one port whose read bursts may repeat each other: a burst leaves the memory as the burst before it did,
// only later.
class RepeatingReads {
 public:
  virtual ~RepeatingReads() = default;

  // Whether the decision on the last read burst can repeat itself.
  virtual bool repeats() const = 0;
  // The edge from which the state's edges count.
  virtual Edge origin() const = 0;
  // All that decides further bursts as long as nothing else is on the bus.
  virtual void visit(PeriodWriter& state) = 0;
  virtual void visit(Shift& state) = 0;
  // How many more bursts come before anything else can, if one is granted every `period` edges.
  virtual std::int64_t repeatable(Edge period) const = 0;
  // Grants so many bursts, but for the state that a Shift is about to make later.
  virtual void grant(std::int64_t bursts, Edge period) = 0;
};

}  // namespace fansim::timing::trains
