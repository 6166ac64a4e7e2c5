// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/vision/config/config.h"
#include "compile/compile.h"

namespace fansim::vision {

// Pipelines: every path of stages is a layer of the program, named by its first stage.
compile::Compiled compile_network(const network::Network& network, const Config& config,
                                  const compile::Options& options);

}  // namespace fansim::vision
