// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "accelerators/stream/compile/compile.h"
#include "accelerators/stream/config/config.h"
#include "accelerators/stream/config/tensor_place.h"
#include "network/network.h"
#include "support/network_text.h"

namespace fansim::test {

network::Network model(const std::string& name, bool values = true);

struct ArrayShape {
  int rows, cols, input_channels, output_channels;
};
stream::Config config_of(const ArrayShape& shape, stream::LoopOrder order = stream::LoopOrder::least_traffic);

// Returns the program of a network that fits; fails the test case if it does not.
contract::Program compiled(const network::Network& network, const stream::Config& config,
                           const compile::Options& options = {});
// Returns where a layer's output lies.
const stream::TensorPlace& place_of(const contract::LayerPlan& plan);
// Why it does not fit.
std::string reason(const network::Network& network, const stream::Config& config);

// Interprets the program and compares every output with the reference executor; empty if all agree.
std::string disagreement(const network::Network& network, const stream::Config& config,
                         const compile::Options& options = {});

}  // namespace fansim::test
