// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "arith/quantisation/lut_count.h"
#include "arith/quantisation/sign_codec.h"

namespace fansim::arith {
namespace {

// Binary weights, +1 and -1. The paper leaves their scale to batch normalisation.
class BnnCodec final : public SignCodec {
 public:
  BnnCodec() : SignCodec(1) {}
  bool keeps_units() const override { return false; }
};

class Bnn final : public QuantisationMethod {
 public:
  const char* name() const override { return "bnn"; }
  const char* meaning() const override { return "sign of the weight, +1 or -1 (Courbariaux et al., 2016)"; }
  BitRange weight_bits() const override { return {1, 1}; }
  std::unique_ptr<WeightCodec> fit(const std::vector<float>&, int) const override {
    return std::make_unique<BnnCodec>();
  }

  // Fine: the 6 LUTs are published (FAQ-CNN, section 4.3), but not for which width of activations. Beyond 12 bits the
  // selection alone takes more. Coarse: -1 takes two bits.
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
