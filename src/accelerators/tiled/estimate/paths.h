// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "accelerators/tiled/config/config.h"
#include "estimate/estimate.h"

namespace fansim::tiled {

// Adds the longest path of each kind to the blocks of block_uses(). Vendor cores have no paths here.
void add_paths(const Config& config, std::vector<estimate::BlockUse>& blocks);

}  // namespace fansim::tiled
