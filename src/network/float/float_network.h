// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "network/network.h"

namespace fansim::network {

// Trained weights of one layer, in the order of Layer's integer weights. They are empty if the layer has none.
struct FloatWeights {
  std::vector<float> weights, bias;
  // The steps of which the weights are multiples, by -128 to 127: one per output or one for all; empty if they are not
  // known.
  std::vector<float> steps;
};

// The codes of 8 bits that a tensor's floats will become.
struct GivenFormat {
  NumberFormat format;
  double step = 0;  // 0 if not given
};

// A network before quantisation: its layers, whose tensors and formats are float32, and their weights.
struct FloatNetwork {
  Network network;
  std::vector<FloatWeights> weights;  // by layer
  std::vector<GivenFormat> given;     // the input's, then that of each layer's output
};

// Reads a network whose input has type float32 (docs/quantisation.md). Every layer with weights names them; a bias that
// is not named is 0. Throws UserError also at a value that is not finite.
FloatNetwork load_float_network(const std::string& path);

// Computes one layer's output in float32, with sums in double precision. `with` is the second operand of an add.
Tensor run_float(const Layer& layer, const FloatWeights& weights, const Tensor& in, const Tensor* with = nullptr);

// Computes every layer's output, in order.
std::vector<Tensor> run_float(const FloatNetwork& network, const Tensor& input);

}  // namespace fansim::network
