// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runs/engine.h"

namespace fansim::runs {

// Hashes the memory in words of eight bytes.
std::uint64_t memory_hash(const std::uint8_t* ddr, std::size_t bytes);

// Says what an engine leaves in memory at the end of a layer.
struct LayerMemory {
  std::string layer;
  std::uint64_t hash = 0;
};

// Returns where two engines leave different bytes, one line per layer.
std::vector<std::string> memory_differences(const std::vector<LayerMemory>& first,
                                            const std::vector<LayerMemory>& second, const EnginePair& engines = {});

}  // namespace fansim::runs
