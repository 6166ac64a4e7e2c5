// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "network/float/float_network.h"

// The parts of run_float that have files of their own. `out` has its shape already.
namespace fansim::network {

void run_float_lstm(const Layer& layer, const FloatWeights& weights, const Tensor& in, Tensor& out);
void run_float_gru(const Layer& layer, const FloatWeights& weights, const Tensor& in, Tensor& out);

}  // namespace fansim::network
