// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "arith/fixed.h"
#include "arith/quantisation/lut_count.h"
#include "arith/quantisation/sign_codec.h"

namespace fansim::arith {
namespace {

// A code is two's complement. It holds the sign, and quantize_(k-1) of the limited weight's magnitude.
class DorefaCodec final : public WeightCodec {
 public:
  DorefaCodec(int bits, double largest_tanh)
      : WeightCodec(bits), levels_((1 << (bits - 1)) - 1), largest_tanh_(largest_tanh) {}

  float prepare(float weight) const override {
    return static_cast<float>(std::tanh(static_cast<double>(weight)) / largest_tanh_);
  }
  bool keeps_units() const override { return false; }  // because of tanh and the division by the largest one
  unsigned project(float value) const override {
    const double level = std::round(static_cast<double>(value) * levels_);
    const double inside = std::clamp(level, -static_cast<double>(levels_) - 1, static_cast<double>(levels_));
    return static_cast<unsigned>(static_cast<int>(inside)) & (codes() - 1);
  }
  float inverse(unsigned code) const override { return static_cast<float>(integer(code)) * step(); }
  int integer(unsigned code) const override { return static_cast<int>(wrap(code, bits())); }
  float step() const override { return 1.0f / static_cast<float>(levels_); }
  float product(unsigned code, int activation) const override {
    return static_cast<float>(std::int64_t{integer(code)} * activation);
  }

 private:
  int levels_;
  double largest_tanh_;
};

class Dorefa final : public QuantisationMethod {
 public:
  const char* name() const override { return "dorefa"; }
  const char* meaning() const override {
    return "even levels of tanh(w) / max|tanh(w)|; one bit: sign times E|w| (Zhou et al., 2016)";
  }
  BitRange weight_bits() const override { return {1, 16}; }
  bool linear() const override { return true; }
  // The magnitude is at most that of the largest weight, whose level is the highest.
  int lowest_integer(int weight_bits) const override { return weight_bits == 1 ? -1 : 1 - (1 << (weight_bits - 1)); }

  std::unique_ptr<WeightCodec> fit(const std::vector<float>& weights, int bits) const override {
    double sum = 0, largest = 0;
    for (const float weight : weights) {
      sum += std::abs(weight);
      largest = std::max(largest, std::abs(static_cast<double>(weight)));
    }
    largest = std::tanh(largest);  // tanh is monotonic, so this is the largest tanh
    if (largest == 0) {
      sum = static_cast<double>(weights.size());
      largest = 1;
    }
    if (bits == 1) return std::make_unique<SignCodec>(static_cast<float>(sum / static_cast<double>(weights.size())));
    return std::make_unique<DorefaCodec>(bits, largest);
  }

  // For 8 by 8 bits 89 is published (FAQ-CNN, section 4.3), and counting gives the same.
  double luts_per_mac(int weight_bits, int activation_bits, Grain) const override {
    return multiplier_luts(std::max(weight_bits, 2), activation_bits) + kAccumulateLuts;
  }
  bool luts_stated(int weight_bits, int activation_bits, Grain) const override {
    return weight_bits == 8 && activation_bits == 8;
  }
};

}  // namespace

std::unique_ptr<QuantisationMethod> dorefa();
std::unique_ptr<QuantisationMethod> dorefa() { return std::make_unique<Dorefa>(); }

}  // namespace fansim::arith
