// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "accelerators/tiled/config/config.h"
#include "estimate/estimate.h"

// This file applies FAQ-CNN's resource model (3.2) to the blocks of the tiled accelerator.
namespace fansim::tiled {

estimate::Estimate cost_of(const Config& config);

// Returns the parts of the estimate, one for each box of the diagram.
std::vector<estimate::BlockUse> block_uses(const Config& config);

// Returns how much less block RAM the FC engine's weights may take with larger factors than these: wider and fewer
// words may fit the shapes of a block RAM better.
double fc_store_slack(const Config& config);

// Returns what serves one engine alone: its stores, weights and MACs ("conv", "first", "fc").
contract::Resources engine_use(const std::vector<estimate::BlockUse>& blocks, const std::string& engine);

}  // namespace fansim::tiled
