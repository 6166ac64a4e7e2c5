// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "network/codes/quantise.h"

namespace fansim::network {

// What a layer's products are of, once its weights are coded.
struct CodedWeights {
  double rms = 0;            // of the integers (coarse) or operands (fine)
  double unit = 1;           // int8 steps of the weights given that one of them stands for; 1 of random ones
  std::vector<double> sums;  // of one output's
};

// The weights that the network gives are codes of the method already.
bool keeps_weights(const Layer& layer, const Quantisation& quantisation);

// Gives the layer weights in the method's codes and their codec, fitted to this layer: those the network gives (one is
// 1/128), else random ones of bell shape with variance 2 / fan_in (He et al., 2015). Weights given that
// are codes of a linear method already stay int8.
CodedWeights code_weights(Layer& layer, const Quantisation& quantisation, std::uint64_t seed);

}  // namespace fansim::network
