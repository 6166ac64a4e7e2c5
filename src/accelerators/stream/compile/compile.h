// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/stream/config/config.h"
#include "compile/compile.h"
#include "network/kernel_sums.h"

namespace fansim::stream {

compile::Compiled compile_network(const network::Network& network, const Config& config,
                                  const compile::Options& options = {});

// Of each layer, if `layers` (empty: all) are compiled; none where the array's sums are exact.
std::vector<network::KernelSums> kernel_sums(const network::Network& network, const Config& config,
                                             const std::vector<int>& layers);

}  // namespace fansim::stream
