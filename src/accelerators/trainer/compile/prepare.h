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

// The arithmetic in words: weights of one design are none of another's.
std::string design_text(const Config& config);

// Which of the layers does not fit, and why.
struct LayerMisfit {
  int layer = network::Layer::kInput;
  compile::Misfit misfit;
};
// The network as the registers describe it, flattened tensors left out.
std::variant<Job, LayerMisfit> describe(const network::Network& network, const Config& config);

// Gives every layer its floating point and its weights: those of the checkpoint, or else the first of a training, by
// the seed. What does not fit stays as it is for the compiler to refuse. UserError at a checkpoint of something else.
void prepare_network(network::Network& network, const Config& config, const network::LoadOptions& options);

// Of all layers, as a batch brings them.
std::vector<std::uint32_t> all_weights(const network::Network& network);

}  // namespace fansim::trainer
