// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "accelerators/vision/config/config.h"
#include "estimate/estimate.h"

namespace fansim::vision {

// The bill of the vision accelerator's blocks.
std::vector<estimate::BlockUse> block_uses(const Config& config);
estimate::Estimate cost_of(const Config& config);

// Slices of the filter engine alone, with and without those that divide.
int filter_slices(const Config& config);

}  // namespace fansim::vision
