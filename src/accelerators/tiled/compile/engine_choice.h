// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/tiled/config/config.h"
#include "network/network.h"

namespace fansim::tiled {

// The engine that computes a convolution or fully connected layer: Config::kConv, kFirst or kFc. The first layer's
// own engine takes convolutions of the network's input that its channels hold.
int engine_of(const network::Layer& layer, const Config& config);

// A fully connected layer on the convolution engine: its vector is a map of one row, this many columns, and as wide is
// the kernel; the most that divides the vector and whose weight tile the store holds.
int vector_columns(const network::Layer& layer, const Config& config);

// The order in which the accelerator adds up in single precision, for the reference executor (Layer::sum_lanes,
// sum_steps).
void declare_sum_order(network::Network& network, const Config& config);

}  // namespace fansim::tiled
