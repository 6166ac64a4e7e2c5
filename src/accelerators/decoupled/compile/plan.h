// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "accelerators/decoupled/config/config.h"
#include "compile/fusion.h"

namespace fansim::decoupled {

// Functions of one value are fused behind convolutions and fully connected layers, and concatenations are placements
// where their operands are whole blocks.
class Plan : public compile::Fusion {
 public:
  Plan(const network::Network& network, const Config& config, const std::vector<int>& wanted);
};

}  // namespace fansim::decoupled
