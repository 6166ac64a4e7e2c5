// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "accelerators/vision/config/config.h"
#include "estimate/estimate.h"

namespace fansim::vision {

// Estimate the resources of the vision accelerator's blocks.
std::vector<estimate::BlockUse> block_uses(const Config& config);
estimate::Estimate cost_of(const Config& config);

// Returns the slices of the filter unit alone, including those that divide.
int filter_slices(const Config& config);

}  // namespace fansim::vision
