// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <climits>

#include "sim/port_budget.h"

namespace fansim::sim {

// A memory's ports: how many accesses they make at one edge, and how much is written and read.
class RamPorts {
 public:
  RamPorts() : RamPorts(INT_MAX, INT_MAX, INT_MAX) {}
  RamPorts(int accesses, int written, int read) : accesses_(accesses), written_(written), read_(read) {}

  // These return false if the ports cannot do that at this edge.
  bool write(int amount, Edge now) { return accesses_.spend(1, now) && written_.spend(amount, now); }
  bool read(int amount, Edge now) { return accesses_.spend(1, now) && read_.spend(amount, now); }

 private:
  PortBudget accesses_, written_, read_;
};

}  // namespace fansim::sim
