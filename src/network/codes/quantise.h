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
// `options` are those it was loaded with. UserError at a layer the format does not reach (lstm, gru), and if the method
// does not define the widths or the grain.
void quantise(Network& network, const Quantisation& quantisation, const LoadOptions& options);

// A tensor of an int8 network in the format that its codes then have.
Tensor in_format(const Tensor& given, const NumberFormat& format);

// The same in even levels, coarse: weights and activations are two's complement integers of so many bits.
void quantise_linear(Network& network, int weight_bits, int activation_bits, const arith::QuantiserFormat& format,
                     const LoadOptions& options);

// UserError if the network was loaded with codes that are no int8 integers, or activations of another width.
void require_int8(const Network& network);

}  // namespace fansim::network
