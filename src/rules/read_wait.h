// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace fansim::rules {

// Says what the oldest outstanding read waits for: nothing (its latency, its data), accesses of its own port and
// direction before it, a refresh, its row, a change of direction on the bus, or others.
enum class ReadWait : std::uint8_t { none, busy_same, refresh, row_miss, turnaround, arbitration };

}  // namespace fansim::rules
