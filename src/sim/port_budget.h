// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/clock_domain.h"

namespace fansim::sim {

// How much the ports of one kind of a memory move at one edge.
class PortBudget {
 public:
  explicit PortBudget(int most) : most_(most) {}

  // Returns false if the ports cannot move that much more at this edge.
  bool spend(int amount, Edge now) {
    if (now != edge_) {
      edge_ = now;
      spent_ = 0;
    }
    spent_ += amount;
    return spent_ <= most_;
  }

 private:
  int most_;
  int spent_ = 0;
  Edge edge_ = -1;
};

}  // namespace fansim::sim
