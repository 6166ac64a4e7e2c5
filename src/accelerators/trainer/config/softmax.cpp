// SPDX-License-Identifier: Apache-2.0
#include "accelerators/trainer/config/softmax.h"

namespace fansim::trainer {

std::vector<SoftmaxTiming> softmax_passes(const Config& config, bool training) {
  using arith::FloatArithmetic, arith::FloatExponential;
  constexpr int kWrite = 1;
  std::vector<SoftmaxTiming> passes{
      {SoftmaxPass::largest, 1, kReadLatency + kConvertLatency + 1},
      {SoftmaxPass::exponential, 1, FloatArithmetic::kAddLatency + FloatExponential::kLatency},
      // With only one adder, each addition of a sum waits for the one before it.
      {SoftmaxPass::sum, FloatArithmetic::kAddLatency, 0},
      {SoftmaxPass::quotient, 1, config.softmax.divider_latency(config.arithmetic.rounding) + kWrite}};
  if (training) passes.push_back({SoftmaxPass::gradient, 1, FloatArithmetic::kAddLatency + kWrite});
  return passes;
}

SoftmaxFunctions::SoftmaxFunctions(const Config& config)
    : arithmetic_(config.softmax.format, config.arithmetic.rounding),
      exponential_(config.softmax.format, arith::FloatExponential::enough_table_bits(config.softmax.format),
                   config.arithmetic.rounding),
      by_array_(config.softmax.divider == Divider::array),
      array_(config.softmax.format, config.arithmetic.rounding, config.softmax.array),
      reciprocal_(config.softmax.format, config.softmax.reciprocal, config.arithmetic.rounding) {
  arith::FloatEvents none;
  one_ = arithmetic_.from_double(1, none);
}

}  // namespace fansim::trainer
