// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/file.h"
#include "network/network.h"
#include "support/user_error.h"

namespace fansim::test {

// Returns a network from its YAML text.
inline network::Network network_of(const std::string& yaml, std::uint64_t seed = 1) {
  const ScratchDirectory scratch;
  const std::string path = scratch / "network.yaml";
  base::write_file(path, "version: 1\nname: test\n" + yaml);
  network::LoadOptions options;
  options.seed = seed;
  return network::load_network(path, options);
}

}  // namespace fansim::test
