// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <functional>

#include "arith/quantisation/component.h"
#include "arith/quantisation/lut_count.h"

namespace fansim::arith {
namespace {

using Codebook = std::vector<float>;  // in rising order

std::size_t nearest(const Codebook& codebook, float value) {
  const auto above = std::upper_bound(codebook.begin(), codebook.end(), value);
  const auto i = static_cast<std::size_t>(above - codebook.begin());
  if (i == 0) return 0;
  if (i == codebook.size()) return i - 1;
  return value - codebook[i - 1] <= codebook[i] - value ? i - 1 : i;
}

class KmeansCodec final : public WeightCodec {
 public:
  KmeansCodec(int bits, Codebook codebook) : WeightCodec(bits), codebook_(std::move(codebook)) {}

  unsigned project(float value) const override { return static_cast<unsigned>(nearest(codebook_, value)); }
  float inverse(unsigned code) const override { return codebook_[code]; }
  int integer(unsigned) const override { return 0; }
  float step() const override { return 0; }
  float operand(unsigned code) const override { return codebook_[code]; }
  // The code addresses the table, and a float multiplier follows.
  float product(unsigned code, int activation) const override {
    return codebook_[code] * static_cast<float>(activation);
  }

 private:
  Codebook codebook_;
};

// Returns at most kSample weights, evenly spread over all of them, in rising order.
std::vector<float> sorted_sample(const std::vector<float>& weights) {
  constexpr std::size_t kSample = 65536;
  const std::size_t count = std::min(kSample, weights.size());
  std::vector<float> sample(count);
  for (std::size_t i = 0; i < count; ++i) sample[i] = weights[i * weights.size() / count];
  std::sort(sample.begin(), sample.end());
  return sample;
}

// Spreads the codebook evenly from the smallest weight to the largest.
Codebook linear_start(const std::vector<float>& sorted, unsigned codes) {
  const float first = sorted.front();
  const float last = sorted.back() > first ? sorted.back() : first + std::max(1.0f, std::abs(first));
  Codebook codebook(codes);
  for (unsigned i = 0; i < codes; ++i) {
    codebook[i] = first + (last - first) * static_cast<float>(i) / static_cast<float>(codes - 1);
  }
  return codebook;
}

// Does one round of Lloyd's algorithm: every centroid moves to the mean of the weights that are nearest to it, if there
// are any. sums[i] is the sum of the weights before weight i. Returns false once nothing moves.
bool improve(Codebook& codebook, const std::vector<float>& sorted, const std::vector<double>& sums) {
  Codebook moved = codebook;
  std::size_t from = 0;
  for (std::size_t i = 0; i < codebook.size(); ++i) {
    const auto begin = sorted.begin() + static_cast<std::ptrdiff_t>(from);
    const auto end =
        std::partition_point(begin, sorted.end(), [&](float weight) { return nearest(codebook, weight) <= i; });
    const auto to = static_cast<std::size_t>(end - sorted.begin());
    if (to > from) moved[i] = static_cast<float>((sums[to] - sums[from]) / static_cast<double>(to - from));
    from = to;
  }
  if (moved == codebook || std::adjacent_find(moved.begin(), moved.end(), std::greater_equal<>()) != moved.end()) {
    return false;
  }
  codebook = std::move(moved);
  return true;
}

class Kmeans final : public QuantisationMethod {
 public:
  const char* name() const override { return "kmeans"; }
  const char* meaning() const override {
    return "a codebook of shared weights from k-means clustering (Han et al., 2016, deep compression)";
  }
  BitRange weight_bits() const override { return {1, 8}; }
  bool supports(Grain grain) const override { return grain == Grain::fine; }

  std::unique_ptr<WeightCodec> fit(const std::vector<float>& weights, int bits) const override {
    constexpr int kRounds = 64;
    const std::vector<float> sorted = sorted_sample(weights);
    std::vector<double> sums(sorted.size() + 1);
    for (std::size_t i = 0; i < sorted.size(); ++i) sums[i + 1] = sums[i] + sorted[i];
    Codebook codebook = linear_start(sorted, 1u << bits);
    for (int round = 0; round < kRounds && improve(codebook, sorted, sums); ++round) continue;
    return std::make_unique<KmeansCodec>(bits, std::move(codebook));
  }

  bool has_codebook() const override { return true; }
  std::unique_ptr<WeightCodec> restore(int bits, const std::vector<float>& codebook) const override {
    return std::make_unique<KmeansCodec>(bits, codebook);
  }

  // The operator has a table of 32-bit floats (a LUT6 holds 64 bits, or two LUTs of 32). It multiplies a 24-bit
  // significand with the activation, shifts the product to its place by up to activation_bits (a LUT6 per bit of the
  // result and two bits of shift), rounds it, and adds its exponent.
  double luts_per_mac(int weight_bits, int activation_bits, Grain) const override {
    const int table = weight_bits < 6 ? 16 : 32 << (weight_bits - 6);
    int shift_bits = 0;
    while ((1 << shift_bits) <= activation_bits) ++shift_bits;
    const int place = 24 * paired_luts(shift_bits), round = 24, exponent = 8;
    return table + multiplier_luts(24, activation_bits) + place + round + exponent + kAccumulateLuts;
  }
};

}  // namespace

std::unique_ptr<QuantisationMethod> kmeans();
std::unique_ptr<QuantisationMethod> kmeans() { return std::make_unique<Kmeans>(); }

}  // namespace fansim::arith
