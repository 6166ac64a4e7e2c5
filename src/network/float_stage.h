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

}  // namespace fansim::network
