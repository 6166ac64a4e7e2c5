// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "arith/float/divide.h"
#include "arith/float/format.h"

namespace fansim::network {

// Says how a layer computes in floating point (docs/float.md). Its tensors hold words of single precision, which can
// represent every number of these formats.
struct FloatStage {
  arith::FloatRounding rounding = arith::FloatRounding::truncate;
  // The layer's input is converted to this format. Products and results have it too.
  arith::FloatFormat format;

  // conv, fc: the format of sums, and that of stored weights, which are words of single precision here.
  arith::FloatFormat sum, weight_format;
  arith::FloatFormat backward;  // products and gradients of the backward pass
  std::vector<std::uint32_t> weights;

  // Dividers of softmax.
  bool array_divider = true;
  arith::ArrayDividerConfig array;
  arith::ReciprocalConfig reciprocal;
};

// Says how a layer computes in single precision (IEEE 754, to nearest, ties to even).
struct SingleStage {
  // conv, fc: weights in the order of Layer::weights, and one bias for each output.
  std::vector<float> weights, bias;
  // The order of an output's sum: elements of the fan-in [channel][kr][kc], `lanes` per step; -1 stands for a product
  // of 0. A step's products are added as a tree of adjacent pairs, in which an odd last one goes up unchanged. The
  // tree's sum is added to that of the steps before, which is 0 at first. The bias comes last.
  int lanes = 1;
  std::vector<std::int32_t> order;
};

}  // namespace fansim::network
