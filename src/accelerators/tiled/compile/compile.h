// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/tiled/config/config.h"
#include "compile/compile.h"

namespace fansim::tiled {

// The tiled accelerator's program: one instruction, with its arguments, per layer and group of channels. The network is
// in the configuration's number format (network::quantise).
compile::Compiled compile_network(const network::Network& network, const Config& config,
                                  const compile::Options& options = {});

}  // namespace fansim::tiled
