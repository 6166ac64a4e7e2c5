// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "network/network.h"

namespace fansim::network {

// Rewrites a loaded int8 network into numbers of single precision: codes become what they stand for, less their zero
// point, in steps of 1 where none is known. Weights and biases that the network gives are those numbers times its
// scale; others are drawn by the seed (docs/decoupled.md, "Numbers"). How sums are ordered is the accelerator's:
// SingleStage::order is empty. `options` are those it was loaded with. UserError at a layer that it does not reach
// (lstm, gru).
void in_single(Network& network, const LoadOptions& options);

// What the codes of a tensor stand for; a step of 0 is not known.
Tensor in_single(const Tensor& codes, double step);

}  // namespace fansim::network
