// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "contract/host_steps.h"
#include "contract/result.h"
#include "toy/copy/config.h"

namespace fansim::copy {

// The fast engine: the cycles and counts of one layer, without stepping.
contract::LayerResult run_layer(const Config& config, const contract::Program& program,
                                const contract::LayerSteps& layer);

// Its bytes, in the program's memory.
void copy_layer(const Config& config, contract::Program& program, const contract::LayerSteps& layer);

}  // namespace fansim::copy
