// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>

#include "arith/fixed.h"
#include "arith/quantisation/component.h"
#include "arith/quantisation/lut_count.h"

namespace fansim::arith {

// Levels lie half a step off zero: a code s in two's complement stands for (s + 1/2) * interval. As an integer that is
// 2 s + 1, in steps of half an interval.
class HalfStepCodec : public WeightCodec {
 public:
  HalfStepCodec(int bits, float interval) : WeightCodec(bits), step_(interval / 2) {}

  unsigned project(float value) const override {
    const auto lowest = static_cast<float>(-(1 << (bits() - 1)));
    const float level = std::clamp(std::floor(value / (2 * step_)), lowest, -lowest - 1);
    return static_cast<unsigned>(static_cast<int>(level)) & (codes() - 1);
  }
  float inverse(unsigned code) const override { return static_cast<float>(integer(code)) * step_; }
  int integer(unsigned code) const override { return 2 * static_cast<int>(wrap(code, bits())) + 1; }
  float step() const override { return step_; }
  float product(unsigned code, int activation) const override {
    return static_cast<float>(std::int64_t{integer(code)} * activation);
  }

 private:
  float step_;
};

// Returns the LUTs of the cheaper of two multipliers. One adds a row of the activation for every bit of the code above
// the lowest bit, which is always 1; the other adds rows of the integer.
constexpr int half_step_luts(int weight_bits, int activation_bits) {
  const int by_code = weight_bits * activation_bits;
  return std::min(by_code, multiplier_luts(weight_bits + 1, activation_bits)) + kAccumulateLuts;
}

struct Spread {
  double mean = 0, sigma = 1;  // 1 if all weights are equal
};

inline Spread spread_of(const std::vector<float>& weights) {
  const auto count = static_cast<double>(weights.size());
  double sum = 0, squares = 0;
  for (const float weight : weights) sum += weight;
  const double mean = sum / count;
  for (const float weight : weights) squares += (weight - mean) * (weight - mean);
  return {mean, squares > 0 ? std::sqrt(squares / count) : 1};
}

}  // namespace fansim::arith
