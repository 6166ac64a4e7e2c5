// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arch/tiled_config.h"
#include "network/network.h"

namespace fansim::compile {

// The engine that computes a convolution or fully connected layer: TiledConfig::kConv, kFirst or kFc. The first layer's
// own engine takes convolutions of the network's input that its channels hold.
int engine_of(const network::Layer& layer, const arch::TiledConfig& config);

// A fully connected layer on the convolution engine: its vector is a map of one row, this many columns, and as wide is
// the kernel; the most that divides the vector and whose weight tile the store holds.
int vector_columns(const network::Layer& layer, const arch::TiledConfig& config);

// The order in which the accelerator adds up in single precision, for the reference executor (Layer::sum_lanes,
// sum_steps).
void declare_sum_order(network::Network& network, const arch::TiledConfig& config);

}  // namespace fansim::compile
