// SPDX-License-Identifier: Apache-2.0
#include "post_training/code_sum.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "network/random_tensors.h"

namespace fansim::post_training {
namespace {

constexpr double kMostError = 0.5;  // in codes; below it the rounded result is at most one code off

// Returns the largest distance of a code from the zero point.
int reach(const network::NumberFormat& format) {
  return std::max(format.highest() - format.zero_point, format.zero_point - format.lowest());
}

// Limits the coefficients to as many bits as the codes, and the sum to two products' width. For int8 that is the 16-bit
// operand of the thesis's quantiser.
struct Widths {
  int largest_weight;
  std::int64_t largest_sum;

  Widths(const network::NumberFormat& a, const network::NumberFormat& b, int sum_bits) {
    const int bits = std::max({a.bits, b.bits, 8});
    largest_weight = (1 << (bits - 1)) - 1;
    largest_sum = (std::int64_t{1} << (std::min(2 * bits, sum_bits) - 1)) - 1;
  }
};

}  // namespace

IntegerSum integer_sum(const Activation& a, const Activation& b, const Activation& out, int sum_bits) {
  const std::array<double, 2> exact{a.step / out.step, b.step / out.step};
  const Widths widths(a.format, b.format, sum_bits);
  const std::array<std::int64_t, 2> reaches{reach(a.format), reach(b.format)};
  const std::size_t large = exact[0] >= exact[1] ? 0 : 1, small = 1 - large;
  IntegerSum best;
  best.error = HUGE_VAL;
  for (int weight = 1; weight <= widths.largest_weight; ++weight) {
    IntegerSum sum;
    sum.weights[large] = weight;
    sum.weights[small] = std::max(1, static_cast<int>(std::lround(weight * exact[small] / exact[large])));
    if (sum.weights[0] * reaches[0] + sum.weights[1] * reaches[1] > widths.largest_sum) break;
    // The scale is chosen to be exact for one operand or for the other.
    for (const std::size_t kept : {large, small}) {
      const network::Ratio ratio = network::fixed_ratio(exact[kept] / sum.weights[kept]);
      sum.scale = ratio.scale;
      sum.shift = ratio.shift;
      sum.error = 0;
      for (const std::size_t i : {large, small})
        sum.error +=
            static_cast<double>(reaches[i]) * std::abs(std::ldexp(sum.weights[i] * sum.scale, -sum.shift) - exact[i]);
      if (sum.error < best.error) best = sum;
    }
  }
  return best;
}

bool code_sum(const Activation& a, const Activation& b, const Activation& out, network::Layer& layer, int sum_bits) {
  if (same(a, out) && same(b, out)) return true;
  const IntegerSum sum = integer_sum(a, b, out, sum_bits);
  if (sum.error < kMostError) {
    layer.addition() = {sum.weights, {{sum.scale}, {sum.shift}, true}};
    return true;
  }
  if (layer.activation == network::Activation::relu && out.format.zero_point != out.format.lowest()) return false;
  network::FunctionStage function;
  function.function = network::Function::sum;
  layer.operation = std::move(function);
  layer.activation = network::Activation::none;
  return true;
}

}  // namespace fansim::post_training
