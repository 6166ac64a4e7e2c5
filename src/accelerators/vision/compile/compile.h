// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/vision/config/config.h"
#include "compile/compile.h"

namespace fansim::vision {

// Compiles pipelines. Every path of stages becomes a layer of the program, which is named after its first stage.
compile::Compiled compile_network(const network::Network& network, const Config& config,
                                  const compile::Options& options);

}  // namespace fansim::vision
