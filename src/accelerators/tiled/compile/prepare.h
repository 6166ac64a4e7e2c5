// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "accelerators/tiled/config/config.h"
#include "network/network.h"

namespace fansim::tiled {

// Brings the loaded network into the configuration's number format.
void prepare(network::Network& network, const Config& config, const network::LoadOptions& options);
// Another for every format.
std::string number_format(const Config& config);

}  // namespace fansim::tiled
