// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace fansim::memory_path {

using Edge = std::int64_t;  // of the memory clock

// Part of a burst, as a port hands it to the controller.
struct Transaction {
  std::uint64_t address = 0;
  int bytes = 0;
  bool last = false;  // of its burst
};

}  // namespace fansim::memory_path
