// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "arch/tiled_config.h"
#include "estimate/estimate.h"

// FAQ-CNN's resource model (3.2) on the blocks of the tiled accelerator.
namespace fansim::estimate {

Estimate estimate(const arch::TiledConfig& config);

// The parts of it, a box of the diagram each.
std::vector<BlockUse> block_uses(const arch::TiledConfig& config);

// What serves one engine alone: its stores, weights and MACs ("conv", "first", "fc").
arch::Resources engine_use(const std::vector<BlockUse>& blocks, const std::string& engine);

}  // namespace fansim::estimate
