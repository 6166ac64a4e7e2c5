// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/decoupled/config/config.h"
#include "compile/compile.h"
#include "network/network.h"

namespace fansim::decoupled {

// Convolutions, fully connected layers and largest values of windows to commands, functions of one value behind the
// first two to tables; the rest is the host's.
compile::Compiled compile_network(const network::Network& network, const Config& config,
                                  const compile::Options& options);

}  // namespace fansim::decoupled
