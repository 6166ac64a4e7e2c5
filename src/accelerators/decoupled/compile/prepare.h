// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/decoupled/config/config.h"
#include "network/network.h"

namespace fansim::decoupled {

// Converts a loaded network to the machine's numbers, integers or floats.
void prepare(network::Network& network, const Config& config, const network::LoadOptions& options);

}  // namespace fansim::decoupled
