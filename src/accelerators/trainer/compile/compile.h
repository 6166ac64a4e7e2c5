// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/trainer/config/config.h"
#include "accelerators/training.h"
#include "compile/compile.h"
#include "network/network.h"

namespace fansim::trainer {

// Compiles one image's pass through a network that prepare_network() has prepared; all its layers are one job.
compile::Compiled compile_network(const network::Network& network, const Config& config,
                                  const compile::Options& options);

accelerators::CompiledBatch compile_images(const network::Network& network, const Config& config,
                                           const accelerators::Batch& batch);

}  // namespace fansim::trainer
