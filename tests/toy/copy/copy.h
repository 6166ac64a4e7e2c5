// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/accelerator.h"
#include "toy/copy/config.h"

namespace fansim::copy {

// The compiler: takes layers that copy, which are maxima over windows of one value.
compile::Compiled compile_network(const network::Network& network, const Config& config,
                                  const compile::Options& options);

// The fast engine: a layer's cycles and counts without stepping, and its bytes in the program's memory.
contract::LayerResult run_layer(const Config& config, const contract::Program& program,
                                const contract::LayerSteps& layer);
void copy_layer(const Config& config, contract::Program& program, const contract::LayerSteps& layer);

// The line for the registry.
accelerators::Kind kind();

}  // namespace fansim::copy
