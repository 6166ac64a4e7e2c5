// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/decoupled/config/config.h"
#include "network/network.h"

namespace fansim::decoupled {

// Brings a loaded network into the machine's integers. Of floats only the time is simulated: UserError if values are
// wanted.
void prepare(network::Network& network, const Config& config, const network::LoadOptions& options);

}  // namespace fansim::decoupled
