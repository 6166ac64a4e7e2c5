// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace fansim::benches {

using Edge = std::int64_t;  // in edges of the memory clock

// Holds a part of a burst, as a port gives it to the controller.
struct Transaction {
  std::uint64_t address = 0;
  int bytes = 0;
  bool last = false;  // the last part of its burst
};

}  // namespace fansim::benches
