// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/vision/config/config.h"
#include "contract/host_steps.h"
#include "contract/result.h"

namespace fansim::vision {

// Runs the fast engine: computes the cycles and counts of one layer without stepping.
contract::LayerResult run_layer(const Config& config, const contract::Program& program,
                                const contract::LayerSteps& layer, const contract::ProgressCallback& progress,
                                bool replay = true);

}  // namespace fansim::vision
