// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "accelerators/stream/config/config.h"
#include "network/codes/quantise.h"

namespace fansim::stream {

// The accelerator computes networks as they are loaded, int8, or in wider integers (docs/networks.md).
void prepare(network::Network& network, const Config& config, const network::LoadOptions& options);
// Another for every format.
std::string number_format(const Config& config);

}  // namespace fansim::stream
