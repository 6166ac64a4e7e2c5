// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "arith/kernel_sums.h"
#include "arith/saturation.h"
#include "network/network.h"

namespace fansim::network {

// How far the sums of rounding kernels are from the exact sums, in units of their last place.
struct RoundingErrors {
  std::int64_t sums = 0;
  double largest = 0, total = 0;

  void add(double error);
  void add(const RoundingErrors& others);
  double mean() const { return sums == 0 ? 0 : total / static_cast<double>(sums); }
};

// Statistics over a computing layer's requantised values before activation (for lstm and gru: its 16-bit
// pre-activations).
struct Statistics {
  std::int64_t values = 0;
  std::int64_t zeros = 0;                  // equal to the zero point
  std::int64_t saturated = 0;              // at either end of the type
  std::int64_t accumulator_overflows = 0;  // exact sums that do not fit accumulator_bits
  double sum_squares = 0;                  // squares of the exact sums
  double value_squares = 0;                // squares of the values, relative to the zero point
  std::array<std::int64_t, 4> codes{};     // for values of 1 or 2 bits: count of each value, from the lowest

  double informative() const;     // share of values that are neither zero nor saturated; 1 if there are no values
  double rarest(int bits) const;  // share of the rarest value, for a type of 1 or 2 bits
  double sum_rms() const;
  double value_rms() const;
};

struct Result {
  Tensor out;
  Statistics statistics;
  RoundingErrors rounding;
  arith::Saturation saturation;  // of sums that the machine requantises
};

// Computes the reference result with plain loops: exact sums, wrapped and requantised as `format` says (or float sums
// in the layer's order). Inputs and outputs are codes of 1..16 bits. `with` is the second operand of an add. With
// `kernels`, a convolution's or fully connected layer's products are summed in kernels that round.
Result run_reference(const Layer& layer, const arith::QuantiserFormat& format, const Tensor& in,
                     const Tensor* with = nullptr, const arith::KernelSums* kernels = nullptr);

// Computes every layer's output, in order.
std::vector<Result> run_reference(const Network& network, const arith::QuantiserFormat& format);

}  // namespace fansim::network
