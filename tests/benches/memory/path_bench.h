// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "benches/memory/memory_path.h"
#include "benches/memory/path_config.h"
#include "benches/memory/steady_state.h"

namespace fansim::test {

inline benches::PathConfig board(const std::vector<std::string>& settings = {},
                                 const std::string& name = "zcu102_ports") {
  return benches::load_path(std::string(FANSIM_SOURCE_DIR) + "/configs/boards/" + name + ".yaml", settings);
}

// Returns sequential bursts through 128 MiB of a port's own, as in the measurements.
inline benches::Traffic stream(int port, bool write, std::int64_t burst) {
  constexpr std::int64_t kWindow = 128 << 20;
  const auto base = static_cast<std::uint64_t>(4 - port) * 2 * kWindow + (write ? 0 : kWindow);
  return {port, write, burst, burst, base, kWindow};
}

}  // namespace fansim::test
