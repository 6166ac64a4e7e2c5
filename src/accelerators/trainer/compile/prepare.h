// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "accelerators/trainer/config/config.h"
#include "accelerators/trainer/config/job.h"
#include "compile/compile.h"
#include "network/network.h"

namespace fansim::trainer {

// Returns the arithmetic in words: weights of one design cannot be used by another.
std::string design_text(const Config& config);

// Says which layer does not fit, and why.
struct LayerMisfit {
  int layer = network::Layer::kInput;
  compile::Misfit misfit;
};
// Describes the network as the registers do, without flattened tensors.
std::variant<Job, LayerMisfit> describe(const network::Network& network, const Config& config);

// Gives every layer its floating-point format and its weights: those of the checkpoint, or else the initial ones of a
// training, drawn from the seed. What does not fit is left unchanged, and the compiler refuses it. Throws UserError if
// the checkpoint belongs to something else.
void prepare_network(network::Network& network, const Config& config, const network::LoadOptions& options);

// Returns the weights of all layers in the order of a batch.
std::vector<std::uint32_t> all_weights(const network::Network& network);

}  // namespace fansim::trainer
