// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "network/network.h"

namespace fansim::network {

// Trained weights of one layer, in the order of Layer's integer ones; empty of a layer that does not compute.
struct FloatWeights {
  std::vector<float> weights, bias;
  // That the weights are multiples of, -128 to 127 times: of each output's, or of all; empty: not known.
  std::vector<float> steps;
};

// The codes of 8 bits that a tensor's floats are to become.
struct GivenFormat {
  NumberFormat format;
  double step = 0;  // 0: not given
};

// A network before quantisation: its layers, whose tensors and formats are float32, and their weights.
struct FloatNetwork {
  Network network;
  std::vector<FloatWeights> weights;  // of each layer
  std::vector<GivenFormat> given;     // of the input, then of each layer's output
};

// Reads a network whose input is of type float32 (docs/quantisation.md): every computing layer names its weights; a
// bias that is not named is 0. UserError also at a value that is not finite.
FloatNetwork load_float_network(const std::string& path);

// One layer's output in float32, sums in double precision. `with` is add's second operand.
Tensor run_float(const Layer& layer, const FloatWeights& weights, const Tensor& in, const Tensor* with = nullptr);

// Every layer's output, in order.
std::vector<Tensor> run_float(const FloatNetwork& network, const Tensor& input);

}  // namespace fansim::network
