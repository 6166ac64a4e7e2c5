// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "runs/run.h"

namespace fansim::papers {

// Runs the fast engine without values. `config` comes with the program ("configs/systems/x.yaml"); `layers` is as in
// `run --layers`. Throws std::runtime_error if the network does not fit.
runs::Run timed(const std::string& config, const std::string& network, const std::vector<std::string>& settings = {},
                const std::string& layers = "");

}  // namespace fansim::papers
