// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arith/requantise.h"
#include "network/network.h"

// Root mean squares about the zero point that are expected in a network of few bits, in steps of its types
// (docs/quantisation.md, "Random tensors").
namespace fansim::network {

double quantised_input_rms(const Tensor& input);

// What the sums of conv and fc are scaled to.
double target_rms(const Layer& layer);

double quantised_output_rms(const Layer& layer, arith::Rounding rounding, double in_rms, double with_rms);

}  // namespace fansim::network
