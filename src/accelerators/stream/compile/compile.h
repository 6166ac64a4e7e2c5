// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/stream/compile/known_cut.h"
#include "accelerators/stream/config/config.h"
#include "accelerators/stream/config/left_out.h"
#include "arith/formats/kernel_sums.h"
#include "compile/compile.h"

namespace fansim::stream {

// For a program of one layer that is only timed: its steps may be `known`, and then are not made; rounds that repeat
// are not made either, if whoever times them is told where.
compile::Compiled compile_network(const network::Network& network, const Config& config,
                                  const compile::Options& options = {}, const KnownCut& known = {},
                                  LeftOuts* left_out = nullptr);

// Of each layer, if `layers` (empty: all) are compiled; none where the array's sums are exact.
std::vector<arith::KernelSums> kernel_sums(const network::Network& network, const Config& config,
                                           const std::vector<int>& layers);

}  // namespace fansim::stream
