// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "arch/stream_config.h"
#include "compile/compile.h"
#include "network/network.h"

namespace fansim::test {

// A network from its YAML text.
network::Network network_of(const std::string& yaml, std::uint64_t seed = 1);
network::Network model(const std::string& name, bool values = true);

struct ArrayShape {
  int rows, cols, input_channels, output_channels;
};
arch::StreamConfig config_of(const ArrayShape& shape, arch::LoopOrder order = arch::LoopOrder::least_traffic);

// The program of a network that fits; fails the test case otherwise.
arch::Program compiled(const network::Network& network, const arch::StreamConfig& config,
                       const compile::Options& options = {});
// Why it does not fit.
std::string reason(const network::Network& network, const arch::StreamConfig& config);

// Interprets the program and compares every output with the reference executor; empty if all agree.
std::string disagreement(const network::Network& network, const arch::StreamConfig& config,
                         const compile::Options& options = {});

}  // namespace fansim::test
