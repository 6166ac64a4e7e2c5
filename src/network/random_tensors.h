// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "network/network.h"

// Tensors that a network does not carry (docs/networks.md, "Random tensors"). They depend on shapes, names and a seed
// alone.
namespace fansim::network {

// Return the root mean square about the zero point that is expected of random data, in steps of the type.
double expected_input_rms(const NumberFormat& input);
double expected_output_rms(const Layer& layer, double in_rms, double with_rms);

// The ranges from which random weights, bias and requantisation of a computing layer are drawn.
struct Derived {
  int weight_limit = 1;  // weights are uniform in [-limit, limit]
  int bias_limit = 0;
  int scale = 1;
  int shift = 0;
};

// A factor as scale / 2^shift with as many digits as possible; 0 < ratio.
struct Ratio {
  int scale = 1;
  int shift = 0;
};
Ratio fixed_ratio(double ratio);

// `weight_rms` is that of given weights; 0 stands for random ones.
Derived derive(const Layer& layer, double in_rms, double weight_rms = 0);

void fill_random_input(Tensor& input, std::uint64_t seed);
void fill_random_weights(Layer& layer, int limit, std::uint64_t seed);
// Draw the weights of Parameters::later: all of them, or `count` weights from index `first` on.
std::vector<std::int8_t> later_weights(const Layer& layer);
void later_weights(const Layer& layer, std::int64_t first, std::int64_t count, std::vector<std::int8_t>& weights);
void fill_random_bias(Layer& layer, int limit, std::uint64_t seed);

}  // namespace fansim::network
