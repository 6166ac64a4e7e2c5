// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "accelerators/accelerator.h"
#include "post_training/quality.h"

// Networks of codes for one accelerator.
namespace fansim::cli {

// Returns the quantisation method of the codes that an accelerator computes. Weights that were not trained for a linear
// method fit the evenly spaced steps of `linear` best, and a machine for that method computes with the same codes.
std::string method_of(const network::Coding& coding);

// Returns the arithmetic of the accelerator of a configuration for a network of codes. Throws UserError if the
// accelerator does not compute them as they are.
post_training::Machine machine_of(const std::string& config, const std::vector<std::string>& overrides,
                                  const network::Network& codes);

// Returns the coder for the accelerator of a configuration. Throws UserError if it does not compute codes.
post_training::Coder coder_for(const std::string& config, const std::vector<std::string>& overrides,
                               const arith::QuantisationMethods& methods);

}  // namespace fansim::cli
