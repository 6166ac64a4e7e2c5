// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "explore/front.h"

namespace fansim::explore {

struct Counts;

// Represents the other tasks that search shares of the same space.
class Peers {
 public:
  Peers() = default;
  Peers(const Peers&) = delete;
  Peers& operator=(const Peers&) = delete;
  virtual ~Peers() = default;

  // Passes on what this task has found and how far it is, and reads what the others have found. It is called between
  // batches.
  virtual void exchange(const Front& mine, const Counts& counts, double fraction) = 0;
  // Returns whether a point that another task has found dominates every point whose goals are no better than `best`.
  virtual bool rules_out(const std::vector<double>& best) const = 0;
};

}  // namespace fansim::explore
