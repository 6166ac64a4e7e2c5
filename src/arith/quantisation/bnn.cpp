// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "arith/quantisation/component.h"
#include "arith/quantisation/lut_count.h"

namespace fansim::arith {
namespace {

// Code 1 stands for +1, code 0 for -1.
class BnnCodec final : public WeightCodec {
 public:
  BnnCodec() : WeightCodec(1) {}

  unsigned project(float value) const override { return value >= 0 ? 1 : 0; }
  float inverse(unsigned code) const override { return static_cast<float>(integer(code)); }
  int integer(unsigned code) const override { return code == 1 ? 1 : -1; }
  float step() const override { return 1; }

  // The activation, or the negated one.
  float product(unsigned code, int activation) const override {
    return static_cast<float>(code == 1 ? activation : -activation);
  }
};

class Bnn final : public QuantisationMethod {
 public:
  const char* name() const override { return "bnn"; }
  const char* meaning() const override { return "sign of the weight, +1 or -1 (Courbariaux et al., 2016, equation 1)"; }
  BitRange weight_bits() const override { return {1, 1}; }
  std::unique_ptr<WeightCodec> fit(const std::vector<float>&, int) const override {
    return std::make_unique<BnnCodec>();
  }

  // Fine: 6 is published (FAQ-CNN, section 4.3), the activation's width with it is not; beyond 12 bits selecting alone
  // takes more. Coarse: -1 takes two bits.
  double luts_per_mac(int, int activation_bits, Grain grain) const override {
    if (grain == Grain::fine) return std::max(kPublished, paired_luts(activation_bits));
    return multiplier_luts(2, activation_bits) + kAccumulateLuts;
  }
  bool luts_stated(int, int activation_bits, Grain grain) const override {
    return grain == Grain::fine && paired_luts(activation_bits) <= kPublished;
  }

 private:
  static constexpr int kPublished = 6;
};

}  // namespace

std::unique_ptr<QuantisationMethod> bnn();
std::unique_ptr<QuantisationMethod> bnn() { return std::make_unique<Bnn>(); }

}  // namespace fansim::arith
