// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "arch/tiled_config.h"

namespace fansim::test {

// A random tiled machine and the network that it runs.
struct TiledCase {
  arch::TiledConfig config;
  std::string input;                // of the network
  std::vector<std::string> layers;  // each reads the input, or the one before

  std::string network() const;
  std::string text() const;  // all of it, for a report
};

TiledCase random_tiled_case(std::uint64_t seed);

// Runs the case on the clocked and on the fast engine, with values the whole memory too; the first difference, empty if
// there is none. `layers` counts those that were compared. Once per process.
std::string compare_tiled(const arch::TiledConfig& config, const std::string& network_file, bool values, int& layers);

}  // namespace fansim::test
