// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// Which ways through the program were taken, in a build with FANSIM_COVERAGE; nothing in another.
namespace fansim::test {

constexpr std::uint32_t kWays = 1 << 20;

// Ways are marked in `map`, of kWays bytes, from here on.
void watch_ways(std::uint8_t* map);
// Whether one was taken for the first time since this was asked.
bool took_new_way();

}  // namespace fansim::test
