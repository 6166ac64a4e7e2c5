// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "network/network.h"

namespace fansim::vision {

// Returns for each stage the stage into which it streams its image; -1: it writes to memory. A stage streams into its
// only reader if the reader works on this image alone, on a unit that the path does not use yet, and, if it is a
// filter, on 8-bit samples.
std::vector<int> streamed_into(const network::Network& network);

}  // namespace fansim::vision
