// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "accelerators/decoupled/config/config.h"
#include "compile/fusion.h"

namespace fansim::decoupled {

// Plans what is fused. Functions of one value are fused with the convolution or fully connected layer before them. A
// concatenation is a placement if its operands consist of whole blocks.
class Plan : public compile::Fusion {
 public:
  Plan(const network::Network& network, const Config& config, const std::vector<int>& wanted);
};

}  // namespace fansim::decoupled
