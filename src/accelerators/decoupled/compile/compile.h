// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/decoupled/config/config.h"
#include "compile/compile.h"
#include "network/network.h"

namespace fansim::decoupled {

// Compiles convolutions, fully connected layers and window maxima to commands. Functions of one value that follow one
// of the first two become tables. The host computes everything else.
compile::Compiled compile_network(const network::Network& network, const Config& config,
                                  const compile::Options& options);

}  // namespace fansim::decoupled
