// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fansim::test {

// A machine and a network for both engines: configs/systems/zcu102_stream.yaml with settings, and layers that each read
// the network's input, so that any of either may be left out.
struct Case {
  std::vector<std::string> settings;  // key.path=value
  std::string input;                  // of the network
  std::vector<std::string> layers;    // a layer, or one and the pooling behind it

  std::string network() const;
  std::string replay(const std::string& network_file) const;  // the command
};

Case random_case(std::uint64_t seed);

}  // namespace fansim::test
