// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "accelerators/decoupled/config/config.h"
#include "estimate/estimate.h"

namespace fansim::decoupled {

// The bill of the machine's boxes. An array whose steps begin every so many edges has that many fewer multipliers.
std::vector<estimate::BlockUse> block_uses(const Config& config);
estimate::Estimate cost_of(const Config& config);

}  // namespace fansim::decoupled
