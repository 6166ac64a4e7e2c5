// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "calibration/code_network.h"

// LSTM and GRU in int8, whose hidden state is Q0.7 and whose sums are Q3.12 (docs/networks.md).
namespace fansim::calibration {

bool is_recurrent(const network::Layer& layer);
// What such a layer's output is in.
Activation hidden_state();

// Why that coder cannot take such a layer; empty: it can.
std::string recurrent_refusal(const network::Layer& layer, const Coder& coder);
// Weights, bias and scale. UserError where a bias or the scale has no integer.
void code_recurrent(const network::FloatWeights& floats, const Coder& coder, const Activation& in,
                    network::Layer& layer);

}  // namespace fansim::calibration
