// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/tiled/config/config.h"
#include "compile/compile.h"

namespace fansim::tiled {

// Compiles the tiled accelerator's program: one instruction with its arguments for each layer and group of channels.
// The network must be in the configuration's number format (network::quantise).
compile::Compiled compile_network(const network::Network& network, const Config& config,
                                  const compile::Options& options = {});

}  // namespace fansim::tiled
