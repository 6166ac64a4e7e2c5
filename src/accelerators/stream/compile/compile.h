// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/stream/compile/cut_cache.h"
#include "accelerators/stream/config/config.h"
#include "accelerators/stream/config/left_out.h"
#include "arith/kernel_sums.h"
#include "compile/compile.h"

namespace fansim::stream {

// The last two arguments are for a program of one layer that is only timed. If its steps are `known`, they are not
// made. Rounds that repeat are not made either, but are listed in `left_out` if that is given.
compile::Compiled compile_network(const network::Network& network, const Config& config,
                                  const compile::Options& options = {}, const CutCache& known = {},
                                  LeftOuts* left_out = nullptr);

// Returns the sums of each layer's kernels, if `layers` (empty: all) are compiled. It is empty if the array's sums are
// exact.
std::vector<arith::KernelSums> kernel_sums(const network::Network& network, const Config& config,
                                           const std::vector<int>& layers);

}  // namespace fansim::stream
