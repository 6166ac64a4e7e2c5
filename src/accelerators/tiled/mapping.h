// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/tiled/config/config.h"
#include "contract/host_steps.h"
#include "contract/mapping.h"
#include "contract/program.h"

namespace fansim::tiled {

// Returns how a layer is mapped to the accelerator, from the steps of its host.
contract::Mapping mapping_of(const Config& config, const contract::Program& program, const contract::LayerSteps& steps);

}  // namespace fansim::tiled
