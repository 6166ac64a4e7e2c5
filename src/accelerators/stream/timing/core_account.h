// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "timing/edge.h"

namespace fansim::stream {

// `count` waits of the same length, `period` edges apart.
struct Wait {
  timing::Span first;
  int count = 1;
  timing::Edge period = 0;
};

using Waits = std::vector<Wait>;

// The edges of jobs, by what held the core.
struct CoreAccount {
  std::int64_t compute = 0, drain = 0, fill = 0, wait_output = 0, weight_waits = 0;

  void add(const CoreAccount& other, int sign = 1) {
    compute += sign * other.compute;
    drain += sign * other.drain;
    fill += sign * other.fill;
    wait_output += sign * other.wait_output;
    weight_waits += sign * other.weight_waits;
  }
};

}  // namespace fansim::stream
