// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "post_training/code_network.h"

// LSTM and GRU layers run in int8: the hidden state is Q0.7 and sums are Q3.12 (docs/networks.md).
namespace fansim::post_training {

// Returns the format of such a layer's output.
Activation hidden_state();

// Returns why the coder cannot take such a layer; empty: it can.
std::string recurrent_refusal(const network::Layer& layer, const Coder& coder);
// Sets weights, bias and scale. Throws UserError where a bias or the scale has no integer.
void code_recurrent(const network::FloatWeights& floats, const Coder& coder, const Activation& in,
                    network::Layer& layer);

}  // namespace fansim::post_training
