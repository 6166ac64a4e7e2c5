// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/stream/compile/known_cut.h"
#include "accelerators/stream/config/config.h"
#include "arith/formats/kernel_sums.h"
#include "compile/compile.h"

namespace fansim::stream {

// `known`, for a program of one layer: may leave out its steps.
compile::Compiled compile_network(const network::Network& network, const Config& config,
                                  const compile::Options& options = {}, const KnownCut& known = {});

// Of each layer, if `layers` (empty: all) are compiled; none where the array's sums are exact.
std::vector<arith::KernelSums> kernel_sums(const network::Network& network, const Config& config,
                                           const std::vector<int>& layers);

}  // namespace fansim::stream
