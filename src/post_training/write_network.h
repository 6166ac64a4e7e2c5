// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "post_training/code_network.h"

namespace fansim::post_training {

// Writes DIR/METHOD/network.yaml, its tensors and its input, input.npy, for every method that can take the network.
// network::load_network reads them. If one of the files cannot be written, none is. `floats` is the path of the float
// network's file.
void write_networks(const std::string& folder, const std::string& floats, const std::vector<Coded>& coded);

}  // namespace fansim::post_training
