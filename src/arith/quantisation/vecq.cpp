// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "arith/quantisation/half_step.h"

namespace fansim::arith {
namespace {

// The intervals in standard deviations, by bits, whose levels are most nearly parallel to normally distributed weights
// (the implementation by the authors of Gong et al., 2020).
constexpr std::array<double, 8> kVecqInterval{1.0000, 0.9957, 0.5860, 0.3352, 0.1881, 0.1041, 0.0569, 0.0308};

// Steering finds the codes at one interval, and driving gives them another one. A weight is therefore stretched by the
// ratio of the two.
class VecqCodec final : public HalfStepCodec {
 public:
  VecqCodec(int bits, double steering, double driving)
      : HalfStepCodec(bits, static_cast<float>(driving)), stretch_(driving / steering) {}

  float prepare(float weight) const override { return static_cast<float>(weight * stretch_); }

 private:
  double stretch_;
};

class Vecq final : public QuantisationMethod {
 public:
  const char* name() const override { return "vecq"; }
  const char* meaning() const override {
    return "even levels: direction by steering, length by driving (Gong et al., 2020, VecQ)";
  }
  BitRange weight_bits() const override { return {1, 8}; }
  bool linear() const override { return true; }

  std::unique_ptr<WeightCodec> fit(const std::vector<float>& weights, int bits) const override {
    const double steering = kVecqInterval[static_cast<std::size_t>(bits - 1)] * spread_of(weights).sigma;
    return std::make_unique<VecqCodec>(bits, steering, driving(weights, bits, steering));
  }
  double luts_per_mac(int weight_bits, int activation_bits, Grain) const override {
    return half_step_luts(weight_bits, activation_bits);
  }

 private:
  // Returns the factor of the steered levels that leaves the smallest squared error: (w . levels) / (levels . levels).
  static double driving(const std::vector<float>& weights, int bits, double steering) {
    const HalfStepCodec levels(bits, static_cast<float>(steering));
    double along = 0, squares = 0;
    for (const float weight : weights) {
      const double level = levels.integer(levels.project(weight)) / 2.0;
      along += weight * level;
      squares += level * level;
    }
    return along > 0 ? along / squares : steering;
  }
};

}  // namespace

std::unique_ptr<QuantisationMethod> vecq();
std::unique_ptr<QuantisationMethod> vecq() { return std::make_unique<Vecq>(); }

}  // namespace fansim::arith
