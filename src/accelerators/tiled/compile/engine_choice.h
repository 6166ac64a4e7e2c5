// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/tiled/config/config.h"
#include "network/network.h"

namespace fansim::tiled {

// Returns the engine that computes a convolution or fully connected layer: Config::kConv, kFirst or kFc. The engine of
// the first layer takes convolutions of the network's input if it has enough input channels.
int engine_of(const network::Layer& layer, const Config& config);

// Returns the columns of a fully connected layer's vector on the convolution engine. There the vector is a map with one
// row, and the kernel is as wide as the map. It is the largest number that divides the vector and whose weight tile
// fits the store.
int vector_columns(const network::Layer& layer, const Config& config);

// Declares the order in which the accelerator adds in single precision, for the reference executor (Layer::sum_lanes,
// sum_steps).
void declare_sum_order(network::Network& network, const Config& config);

}  // namespace fansim::tiled
