// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "arith/fixed.h"
#include "arith/quantisation/component.h"
#include "arith/quantisation/lut_count.h"

namespace fansim::arith {
namespace {

// A code is two's complement and stands for the nearest multiple of a step. If two are equally near, it is the one
// further from zero.
class LinearCodec final : public WeightCodec {
 public:
  LinearCodec(int bits, double step) : WeightCodec(bits), most_((1 << (bits - 1)) - 1), step_(step) {}

  unsigned project(float value) const override {
    const double level = std::round(static_cast<double>(value) / step_);
    return static_cast<unsigned>(static_cast<int>(std::clamp<double>(level, -most_ - 1, most_))) & (codes() - 1);
  }
  float inverse(unsigned code) const override { return static_cast<float>(integer(code)) * step(); }
  int integer(unsigned code) const override { return static_cast<int>(wrap(code, bits())); }
  float step() const override { return static_cast<float>(step_); }
  float product(unsigned code, int activation) const override {
    return static_cast<float>(std::int64_t{integer(code)} * activation);
  }

 private:
  const int most_;
  const double step_;
};

class Linear final : public QuantisationMethod {
 public:
  const char* name() const override { return "linear"; }
  const char* meaning() const override {
    return "multiples of a step, about 0: the one of least squared error (no method of FAQ-CNN's)";
  }
  BitRange weight_bits() const override { return {2, 16}; }
  bool linear() const override { return true; }
  int lowest_integer(int weight_bits) const override { return -(1 << (weight_bits - 1)); }

  std::unique_ptr<WeightCodec> fit(const std::vector<float>& weights, int bits) const override {
    constexpr std::size_t kSample = 1 << 14;
    constexpr int kParts = 32;
    float largest = 0;
    for (const float weight : weights) largest = std::max(largest, std::abs(weight));
    if (!(largest > 0)) largest = 1;
    const double widest = static_cast<double>(largest) / ((1 << (bits - 1)) - 1);
    const std::size_t stride = (weights.size() + kSample - 1) / kSample;
    double best = widest, least = squared_error({bits, widest}, weights, stride);
    for (int part = kParts - 1; part > 0; --part) {
      const double step = widest * part / kParts, error = squared_error({bits, step}, weights, stride);
      if (error < least) {
        best = step;
        least = error;
      }
    }
    return std::make_unique<LinearCodec>(bits, best);
  }

  std::unique_ptr<WeightCodec> restore(int bits, const std::vector<float>& step) const override {
    return std::make_unique<LinearCodec>(bits, step.empty() ? 1 : static_cast<double>(step[0]));
  }

  double luts_per_mac(int weight_bits, int activation_bits, Grain) const override {
    return multiplier_luts(weight_bits, activation_bits) + kAccumulateLuts;
  }

 private:
  static double squared_error(const LinearCodec& codec, const std::vector<float>& weights, std::size_t stride) {
    double sum = 0;
    for (std::size_t i = 0; i < weights.size(); i += stride) {
      const double error =
          static_cast<double>(weights[i]) - static_cast<double>(codec.inverse(codec.project(weights[i])));
      sum += error * error;
    }
    return sum;
  }
};

}  // namespace

std::unique_ptr<QuantisationMethod> linear();
std::unique_ptr<QuantisationMethod> linear() { return std::make_unique<Linear>(); }

}  // namespace fansim::arith
