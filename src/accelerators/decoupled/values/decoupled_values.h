// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "accelerators/decoupled/config/config.h"
#include "contract/host_steps.h"
#include "contract/memory_image.h"
#include "contract/program.h"
#include "contract/result.h"

namespace fansim::decoupled {

// Computes what a layer's commands leave in memory. It executes them one after another in the order of its jobs, and
// returns what saturated.
arith::Saturation compute_layer(const Config& config, const contract::LayerPlan& plan, contract::MemoryImage& memory,
                                const contract::ProgressCallback& progress);

}  // namespace fansim::decoupled
