// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/stream/config/config.h"
#include "compile/compile.h"

namespace fansim::stream {

compile::Compiled compile_network(const network::Network& network, const Config& config,
                                  const compile::Options& options = {});

}  // namespace fansim::stream
