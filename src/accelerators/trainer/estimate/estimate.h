// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/trainer/config/config.h"
#include "estimate/estimate.h"

namespace fansim::trainer {

// Estimates every block of the configuration on its device.
estimate::Estimate cost_of(const Config& config);

}  // namespace fansim::trainer
