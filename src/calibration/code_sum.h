// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "calibration/calibrate.h"

namespace fansim::calibration {

// A sum of two activations as whole numbers: each operand's code less its zero point times its weight, then a scale.
struct IntegerSum {
  std::array<int, 2> weights{1, 1};
  int scale = 1, shift = 0;
  double error = 0;  // the most that the scaled sum is off before it is rounded, in codes of the output
};

// The closest of weights of as many bits as the codes, 8 at least, whose sums never exceed twice as many.
IntegerSum integer_sum(const Activation& a, const Activation& b, const Activation& out);

// An add whose operands and output have formats of their own becomes one that weighs its operands, or where that could
// be off by more than a code, the function `sum`; false if that cannot be, for it has a ReLU above its codes' end.
bool code_sum(const Activation& a, const Activation& b, const Activation& out, network::Layer& layer);

}  // namespace fansim::calibration
