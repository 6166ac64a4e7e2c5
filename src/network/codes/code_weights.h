// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "network/codes/quantise.h"

namespace fansim::network {

// The size of a layer's products once its weights are coded.
struct CodedWeights {
  double rms = 0;            // root mean square of the integers (coarse) or operands (fine)
  double unit = 1;           // steps of the given int8 weights for which one of them stands; 1 for random ones
  std::vector<double> sums;  // sum of each output's weights
};

// Returns whether the weights that the network gives are codes of the method already.
bool keeps_weights(const Layer& layer, const Quantisation& quantisation);

// Gives the layer weights in the method's codes, and a codec that is fitted to this layer. They are made of the
// network's weights (one is 1/128) or of random ones of bell shape with variance 2 / fan_in (He et al., 2015). Given
// weights that are codes of a linear method already stay int8.
CodedWeights code_weights(Layer& layer, const Quantisation& quantisation, std::uint64_t seed);

}  // namespace fansim::network
