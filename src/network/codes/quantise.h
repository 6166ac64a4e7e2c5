// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "network/network.h"

namespace fansim::network {

// A number format for a whole network.
struct Quantisation {
  const arith::QuantisationMethod* method = nullptr;
  int weight_bits = 8;
  int activation_bits = 8;
  arith::Grain grain = arith::Grain::coarse;
  arith::QuantiserFormat format;
};

// Rewrites a loaded int8 network into that format (docs/quantisation.md): tensors, number formats and requantisation.
// `options` are those with which it was loaded. Throws UserError at a layer that cannot have the format (lstm, gru),
// and if the method does not define the widths or the grain.
void quantise(Network& network, const Quantisation& quantisation, const LoadOptions& options);

// Returns a tensor of an int8 network in the format that its codes have afterwards.
Tensor in_format(const Tensor& given, const NumberFormat& format);

// Does the same with evenly spaced levels, coarse: weights and activations are two's complement integers of so many
// bits.
void quantise_linear(Network& network, int weight_bits, int activation_bits, const arith::QuantiserFormat& format,
                     const LoadOptions& options);

// Throws UserError if the network was loaded with codes that are not int8 integers, or with activations of another
// width.
void require_int8(const Network& network);

}  // namespace fansim::network
