// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "rules/banked_ddr.h"

namespace fansim::benches {

// One burst of closed-loop traffic and, once it ran, its edges of the memory clock.
struct DdrBurst {
  int stream = 0;
  bool write = false;
  std::uint64_t address = 0;
  std::int64_t bytes = 0;

  std::int64_t issue = 0;  // handed to the controller
  std::int64_t first = 0;  // its first data on the bus
  std::int64_t last = 0;   // the edge after its last data
};

enum class DdrHandover { access, burst };

// How the bursts come. Each stream issues its own in order, with at most `outstanding` in flight: a read until its last
// data have been on the bus, a write, if the part posts them, until the controller holds all of it. What ends at edge t
// makes room at t + 1. Streams take turns to hand column accesses to the controller, one per edge, while its queue has
// room: a turn is one access, or a whole burst, during which the others wait.
struct DdrDriver {
  int outstanding = 4;
  DdrHandover handover = DdrHandover::access;
};

struct DdrTotals {
  std::int64_t accesses = 0;
  std::int64_t row_hits = 0;
  std::int64_t row_misses = 0;
  std::int64_t row_conflicts = 0;
  std::int64_t refreshes = 0;
  std::int64_t turnarounds = 0;
};

// Runs the bursts on a memory alone. `progress` is told now and then which part of them is done.
DdrTotals run_closed_loop(
    const contract::DdrPart& part, const DdrDriver& driver, std::vector<DdrBurst>& bursts,
    const std::function<void(double)>& progress = [](double) {});

}  // namespace fansim::benches
