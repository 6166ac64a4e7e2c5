// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace fansim::tiled {

// Says what a weight code stands for in an engine's operator. It is configuration, which is loaded before a layer's
// first weights arrive.
struct CodeBook {
  std::vector<std::int16_t> integers;  // for coarse-grained methods
  std::vector<float> operands;         // for fine-grained methods
};

}  // namespace fansim::tiled
