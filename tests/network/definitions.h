// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "arith/quantiser.h"
#include "network/network.h"

// What each kind of layer computes, as docs/networks.md defines it, in plain nested loops. This is written from the
// page and shares nothing with the reference executor or the engines, so that an error which they share is found.
namespace fansim::definitions {

// Returns the codes of the layer's output, in order. `with` is the second operand's tensor, if the layer has one.
std::vector<int> output_of(const network::Layer& layer, const arith::QuantiserFormat& format, const network::Tensor& in,
                           const network::Tensor& with);

}  // namespace fansim::definitions
