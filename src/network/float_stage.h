// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "arith/float/divide.h"
#include "arith/float/format.h"

namespace fansim::network {

// How a layer computes in floating point (docs/float.md): its tensors hold words of single precision, which has every
// number of these formats.
struct FloatStage {
  arith::FloatRounding rounding = arith::FloatRounding::truncate;
  // What it reads is brought into this format; products and results have it too.
  arith::FloatFormat format;

  // conv, fc: the sums, and the weights as they are kept, which are single precision's words here.
  arith::FloatFormat sum, weight_format;
  arith::FloatFormat backward;  // of products and gradients on the way back
  std::vector<std::uint32_t> weights;

  // softmax
  bool array_divider = true;
  arith::ArrayDividerConfig array;
  arith::ReciprocalConfig reciprocal;
};

// How a layer computes in single precision (IEEE 754, to nearest, of two as near the even one).
struct SingleStage {
  // conv, fc: as Layer::weights lie, and one for each output.
  std::vector<float> weights, bias;
  // The order of an output's sum: elements of the fan-in [channel][kr][kc], `lanes` to a step; -1: a product of 0. A
  // step's products are added as a tree of adjacent pairs, an odd last one goes up as it is, the tree's sum to what the
  // steps before left, which is 0 at first; the bias comes last.
  int lanes = 1;
  std::vector<std::int32_t> order;
};

}  // namespace fansim::network
