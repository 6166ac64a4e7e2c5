// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "calibration/code_network.h"

namespace fansim::calibration {

// Writes DIR/METHOD/network.yaml, its tensors and its input, input.npy, of every method that can take the network.
// network::load_network reads them. Nothing is written if one of the files cannot be. `floats` is the network's file.
void write_networks(const std::string& folder, const std::string& floats, const std::vector<Coded>& coded);

}  // namespace fansim::calibration
