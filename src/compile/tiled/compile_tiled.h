// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arch/tiled_config.h"
#include "compile/compile.h"

namespace fansim::compile {

// The tiled accelerator's program: one instruction, with its arguments, per layer and group of channels. The network is
// in the configuration's number format (network::quantise).
std::variant<arch::Program, Unschedulable> compile(const network::Network& network, const arch::TiledConfig& config,
                                                   const Options& options = {});

}  // namespace fansim::compile
