// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "accelerators/tiled/config/config.h"
#include "network/network.h"

namespace fansim::tiled {

// Converts the loaded network to the configuration's number format.
void prepare(network::Network& network, const Config& config, const network::LoadOptions& options);
// Returns a text that differs for every number format.
std::string number_format(const Config& config);

}  // namespace fansim::tiled
