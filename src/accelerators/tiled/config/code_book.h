// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace fansim::tiled {

// What a weight code stands for in an engine's operator: configuration, loaded before a layer's first weights arrive.
struct CodeBook {
  std::vector<std::int16_t> integers;  // coarse
  std::vector<float> operands;         // fine
};

}  // namespace fansim::tiled
