// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "network/network.h"

namespace fansim::vision {

// Into which stage each of a pipeline streams its image, -1: into memory. A stage streams into its only reader if that
// works on this image alone, on another unit than those before it, and in 8 bits if it is a filter.
std::vector<int> streamed_into(const network::Network& network);

}  // namespace fansim::vision
