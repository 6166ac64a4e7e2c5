// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/decoupled/config/config.h"
#include "network/network.h"

namespace fansim::decoupled {

// Says of every convolution and fully connected layer of a network of floats in which order the machine sums it
// (docs/decoupled.md, "Numbers").
void declare_sum_order(network::Network& network, const Config& config);

}  // namespace fansim::decoupled
