// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "accelerators/decoupled/config/config.h"
#include "estimate/estimate.h"

namespace fansim::decoupled {

// Estimate the resources of the machine's boxes. If the array begins a step only every n edges, it has n times fewer
// multipliers.
std::vector<estimate::BlockUse> block_uses(const Config& config);
estimate::Estimate cost_of(const Config& config);

}  // namespace fansim::decoupled
