// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "accelerators/stream/config/config.h"
#include "network/codes/quantise.h"

namespace fansim::stream {

// Prepares a loaded network. The accelerator computes it as it is, in int8, or in wider integers (docs/networks.md).
void prepare(network::Network& network, const Config& config, const network::LoadOptions& options);
// Returns a text that differs for every number format.
std::string number_format(const Config& config);

}  // namespace fansim::stream
