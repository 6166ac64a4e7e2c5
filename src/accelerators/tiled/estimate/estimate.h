// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "accelerators/tiled/config/config.h"
#include "estimate/estimate.h"

// FAQ-CNN's resource model (3.2) on the blocks of the tiled accelerator.
namespace fansim::tiled {

estimate::Estimate cost_of(const Config& config);

// The parts of it, a box of the diagram each.
std::vector<estimate::BlockUse> block_uses(const Config& config);

// How much less block RAM the FC engine's weights may take with more factors than these: wider words, and fewer of
// them, may fit the shapes of a block RAM better.
double fc_store_slack(const Config& config);

// What serves one engine alone: its stores, weights and MACs ("conv", "first", "fc").
contract::Resources engine_use(const std::vector<estimate::BlockUse>& blocks, const std::string& engine);

}  // namespace fansim::tiled
