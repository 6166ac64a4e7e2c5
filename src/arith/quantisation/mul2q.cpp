// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "arith/quantisation/half_step.h"

namespace fansim::arith {
namespace {

// The best intervals for a standard normal distribution, by bits (Gong et al., 2019, Table I).
constexpr std::array<double, 8> kMul2qInterval{1.5959, 0.9894, 0.5838, 0.3327, 0.1897, 0.1043, 0.0563, 0.0304};

// The mean is subtracted before the mapping, and codes do not hold it.
class Mul2qCodec final : public HalfStepCodec {
 public:
  Mul2qCodec(int bits, const Spread& spread)
      : HalfStepCodec(bits, static_cast<float>(kMul2qInterval[static_cast<std::size_t>(bits - 1)] * spread.sigma)),
        mean_(static_cast<float>(spread.mean)) {}

  float prepare(float weight) const override { return weight - mean_; }
  float offset() const override { return mean_; }

 private:
  float mean_;
};

class Mul2q final : public QuantisationMethod {
 public:
  const char* name() const override { return "mul2q"; }
  const char* meaning() const override {
    return "even levels about the mean, the best interval for a normal distribution (Gong et al., 2019, algorithm 1)";
  }
  BitRange weight_bits() const override { return {1, 8}; }
  bool linear() const override { return true; }
  std::unique_ptr<WeightCodec> fit(const std::vector<float>& weights, int bits) const override {
    return std::make_unique<Mul2qCodec>(bits, spread_of(weights));
  }
  double luts_per_mac(int weight_bits, int activation_bits, Grain) const override {
    return half_step_luts(weight_bits, activation_bits);
  }
};

}  // namespace

std::unique_ptr<QuantisationMethod> mul2q();
std::unique_ptr<QuantisationMethod> mul2q() { return std::make_unique<Mul2q>(); }

}  // namespace fansim::arith
