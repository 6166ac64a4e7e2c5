// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "arith/quantisation/component.h"
#include "arith/quantisation/lut_count.h"

namespace fansim::arith {
namespace {

// A code of two bits in two's complement: 0, +1 and -1 (code 3). Code 2 is never written and stands for 0.
class TnnCodec final : public WeightCodec {
 public:
  TnnCodec(float threshold, float scale) : WeightCodec(2), threshold_(threshold), scale_(scale) {}

  unsigned project(float value) const override {
    if (std::abs(value) <= threshold_) return 0;
    return value > 0 ? 1 : 3;
  }
  float inverse(unsigned code) const override { return static_cast<float>(integer(code)) * scale_; }
  int integer(unsigned code) const override {
    if ((code & 1) == 0) return 0;
    return code == 1 ? 1 : -1;
  }
  float step() const override { return scale_; }

  // The low bit lets the activation through, and the high bit negates it.
  float product(unsigned code, int activation) const override {
    const int through = (code & 1) != 0 ? activation : 0;
    return static_cast<float>((code & 2) != 0 ? -through : through);
  }

 private:
  float threshold_, scale_;
};

class Tnn final : public QuantisationMethod {
 public:
  const char* name() const override { return "tnn"; }
  const char* meaning() const override {
    return "-1, 0 or +1 around a threshold of 0.7 E|w| (Li and Liu, 2016, ternary weight networks)";
  }
  BitRange weight_bits() const override { return {2, 2}; }

  std::unique_ptr<WeightCodec> fit(const std::vector<float>& weights, int) const override {
    double sum = 0;
    for (const float weight : weights) sum += std::abs(weight);
    const auto threshold = static_cast<float>(0.7 * sum / static_cast<double>(weights.size()));
    double above = 0, count = 0;
    for (const float weight : weights) {
      if (std::abs(weight) <= threshold) continue;
      above += std::abs(weight);
      ++count;
    }
    return std::make_unique<TnnCodec>(threshold, count == 0 ? 1 : static_cast<float>(above / count));
  }

  // Fine: both bits select inside the accumulator's LUTs, so they take none of their own.
  double luts_per_mac(int, int activation_bits, Grain grain) const override {
    return (grain == Grain::fine ? 0 : multiplier_luts(2, activation_bits)) + kAccumulateLuts;
  }
};

}  // namespace

std::unique_ptr<QuantisationMethod> tnn();
std::unique_ptr<QuantisationMethod> tnn() { return std::make_unique<Tnn>(); }

}  // namespace fansim::arith
