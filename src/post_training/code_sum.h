// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "post_training/calibrate.h"

namespace fansim::post_training {

// Computes a sum of two activations in integers: each operand's code less its zero point is multiplied by its weight,
// then the sum is scaled.
struct IntegerSum {
  std::array<int, 2> weights{1, 1};
  int scale = 1, shift = 0;
  double error = 0;  // largest error of the scaled sum before rounding, in codes of the output
};

// Finds the closest weights. They have as many bits as the codes, at least 8, and their sums never exceed twice as many
// bits, nor `sum_bits`.
constexpr int kAnySum = 63;
IntegerSum integer_sum(const Activation& a, const Activation& b, const Activation& out, int sum_bits = kAnySum);

// Codes an add whose operands and output have formats of their own. The add then weighs its operands or, where that
// could be off by more than a code, becomes the function `sum`. Returns false if neither is possible, because the layer
// has a ReLU above its codes' lower end.
bool code_sum(const Activation& a, const Activation& b, const Activation& out, network::Layer& layer,
              int sum_bits = kAnySum);

}  // namespace fansim::post_training
