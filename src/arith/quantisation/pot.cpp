// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "arith/quantisation/component.h"
#include "arith/quantisation/lut_count.h"

namespace fansim::arith {
namespace {

// Returns log2 of a positive magnitude, rounded to an integer.
int rounded_log2(float magnitude) {
  int exponent = 0;
  const double mantissa = std::frexp(static_cast<double>(magnitude), &exponent);  // in [0.5, 1)
  return mantissa >= std::sqrt(0.5) ? exponent : exponent - 1;
}

// The top bit of a code is the sign. Below it, 0 stands for zero and e > 0 for the power lowest + e - 1. The second
// zero, with the sign bit set, is never written.
class PotCodec final : public WeightCodec {
 public:
  PotCodec(int bits, int highest) : WeightCodec(bits), lowest_(highest - powers() + 1) {}

  unsigned project(float value) const override {
    if (value == 0) return 0;
    const int power = std::min(rounded_log2(std::abs(value)), lowest_ + powers() - 1);
    if (power < lowest_) return 0;
    return static_cast<unsigned>(power - lowest_ + 1) | (value < 0 ? sign() : 0);
  }
  float inverse(unsigned code) const override { return static_cast<float>(integer(code)) * step(); }
  int integer(unsigned code) const override { return shifted(code, 1); }
  float step() const override { return std::ldexp(1.0f, lowest_); }
  // Returns the activation shifted, and negated if the sign is set.
  float product(unsigned code, int activation) const override { return static_cast<float>(shifted(code, activation)); }

 private:
  int powers() const { return (1 << (bits() - 1)) - 1; }
  unsigned sign() const { return 1u << (bits() - 1); }

  int shifted(unsigned code, int value) const {
    const unsigned exponent = code & (sign() - 1);
    const int magnitude = exponent == 0 ? 0 : value * (1 << (exponent - 1));
    return (code & sign()) != 0 ? -magnitude : magnitude;
  }

  int lowest_;
};

class Pot final : public QuantisationMethod {
 public:
  const char* name() const override { return "pot"; }
  const char* meaning() const override { return "zero or a signed power of two (Miyashita et al., 2016, LogQuant)"; }
  // As published; with 5 bits the largest integer is 2^14, which fits 16 bits.
  BitRange weight_bits() const override { return {3, 5}; }

  std::unique_ptr<WeightCodec> fit(const std::vector<float>& weights, int bits) const override {
    float largest = 0;
    for (const float weight : weights) largest = std::max(largest, std::abs(weight));
    return std::make_unique<PotCodec>(bits, largest == 0 ? 0 : rounded_log2(largest));
  }

  double luts_per_mac(int weight_bits, int activation_bits, Grain grain) const override {
    return grain == Grain::fine ? shift_luts(weight_bits, activation_bits) : decoded_luts(weight_bits, activation_bits);
  }

 private:
  // The first shifter serves the low two exponent bits and takes one LUT6 per bit of the result. With five bits, a
  // second one serves the third exponent bit and takes a LUT6_2 per two bits. The last shift, the sign and the use of
  // the test for zero are in the accumulator's LUTs; the test itself takes one LUT.
  static int shift_luts(int weight_bits, int activation_bits) {
    const int first = activation_bits + (weight_bits == 3 ? 2 : 3);
    const int second = paired_luts(first + 4);
    switch (weight_bits) {
      case 3:
        return first + kAccumulateLuts;
      case 4:
        return first + 1 + kAccumulateLuts;
      default:
        return first + second + 1 + kAccumulateLuts;
    }
  }

  // One function of the code gives each bit of a two's complement integer up to 2^(powers - 1). A multiplier follows.
  static int decoded_luts(int weight_bits, int activation_bits) {
    const int integer_bits = 1 << (weight_bits - 1);
    return paired_luts(integer_bits) + multiplier_luts(integer_bits, activation_bits) + kAccumulateLuts;
  }
};

}  // namespace

std::unique_ptr<QuantisationMethod> pot();
std::unique_ptr<QuantisationMethod> pot() { return std::make_unique<Pot>(); }

}  // namespace fansim::arith
