// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "network/network.h"

namespace fansim::network {

// Rewrites a loaded int8 network into numbers of single precision. A code becomes the number for which it stands,
// relative to its zero point; the step is 1 if none is known. Weights and biases that the network gives are such
// numbers times the layer's scale; others are drawn from the seed (docs/decoupled.md, "Numbers"). SingleStage::order
// stays empty, because the accelerator determines the order of sums. `options` are those with which the network was
// loaded. Throws UserError at a layer that cannot be rewritten (lstm, gru).
void in_single(Network& network, const LoadOptions& options);

// Returns the numbers for which a tensor's codes stand. A step of 0 means that it is not known.
Tensor in_single(const Tensor& codes, double step);

}  // namespace fansim::network
