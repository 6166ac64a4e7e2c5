// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "memory_path/memory_path.h"
#include "memory_path/path_config.h"
#include "memory_path/steady_state.h"

namespace fansim::test {

inline memory_path::PathConfig board(const std::vector<std::string>& settings = {},
                                     const std::string& name = "zcu102_ports") {
  return memory_path::load_path(std::string(FANSIM_SOURCE_DIR) + "/configs/boards/" + name + ".yaml", settings);
}

// Returns sequential bursts through 128 MiB of a port's own, as in the measurements.
inline memory_path::Traffic stream(int port, bool write, std::int64_t burst) {
  constexpr std::int64_t kWindow = 128 << 20;
  const auto base = static_cast<std::uint64_t>(4 - port) * 2 * kWindow + (write ? 0 : kWindow);
  return {port, write, burst, burst, base, kWindow};
}

}  // namespace fansim::test
