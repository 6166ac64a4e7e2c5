// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/decoupled/config/config.h"
#include "network/network.h"

namespace fansim::decoupled {

// Declares for every convolution and fully connected layer of a network of floats the order in which the machine sums
// (docs/decoupled.md, "Numbers").
void declare_sum_order(network::Network& network, const Config& config);

}  // namespace fansim::decoupled
