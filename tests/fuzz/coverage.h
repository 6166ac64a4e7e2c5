// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// This file records which paths through the program were taken, in a build with FANSIM_COVERAGE. In other builds it
// does nothing.
namespace fansim::test {

constexpr std::uint32_t kWays = 1 << 20;

// Ways are marked in `map`, of kWays bytes, from here on.
void watch_ways(std::uint8_t* map);
// Returns whether a path was taken for the first time since the last call.
bool took_new_way();

}  // namespace fansim::test
