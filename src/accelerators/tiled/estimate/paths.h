// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "accelerators/tiled/config/config.h"
#include "estimate/estimate.h"

namespace fansim::tiled {

// The longest path of each kind in a block of block_uses(). Vendor cores have none of ours.
void add_paths(const Config& config, std::vector<estimate::BlockUse>& blocks);

}  // namespace fansim::tiled
