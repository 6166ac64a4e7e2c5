// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "accelerators/stream/config/config.h"
#include "estimate/estimate.h"

namespace fansim::stream {

estimate::Estimate cost_of(const Config& config);

// Estimate the resources of every box of the diagram.
std::vector<estimate::BlockUse> block_uses(const Config& config);

}  // namespace fansim::stream
