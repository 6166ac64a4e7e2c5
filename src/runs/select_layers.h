// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "network/network.h"

namespace fansim::runs {

// Returns the indices of the layers that the text of --layers names ("conv1,conv3..fc1"), in rising order. An empty
// text names none. Throws UserError if it names no layer of the network.
std::vector<int> select_layers(const network::Network& network, const std::string& text);

// Marks these layers and all that they read, directly or not.
std::vector<bool> read_by(const network::Network& network, const std::vector<int>& layers);

}  // namespace fansim::runs
