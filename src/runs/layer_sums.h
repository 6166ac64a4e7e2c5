// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "network/network.h"

// The sums that a quantiser brings to codes.
namespace fansim::runs {

// Returns how many a layer has.
std::int64_t requantised_sums(const network::Layer& layer);

// Returns whether some input can make a sum of a layer leave two's complement of `bits` bits.
bool may_leave(const network::Layer& layer, int bits);

// Returns whether a pooling's windows read all of its map. A machine need not compute what they leave out.
bool reads_all(const network::Layer& pooling);

}  // namespace fansim::runs
