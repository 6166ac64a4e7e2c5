// SPDX-License-Identifier: Apache-2.0
#include "network/codes/code_weights.h"

#include <algorithm>
#include <cmath>

#include "base/interrupt.h"
#include "base/random.h"

namespace fansim::network {
namespace {

// Weights as indices of a table of reals: every method maps each real once, however many weights there are.
class GivenWeights {
 public:
  static constexpr bool kRandom = false;
  explicit GivenWeights(const std::vector<std::int8_t>& weights) : weights_(weights) {
    for (int i = 0; i < 256; ++i) reals_.push_back(static_cast<float>(static_cast<std::int8_t>(i)) / 128);
  }
  const std::vector<float>& reals() const { return reals_; }
  std::size_t next() { return static_cast<std::uint8_t>(weights_[at_++]); }

 private:
  const std::vector<std::int8_t>& weights_;
  std::size_t at_ = 0;
  std::vector<float> reals_;
};

// The sum of four uniform numbers of 14 bits, scaled.
class BellWeights {
 public:
  static constexpr bool kRandom = true;
  BellWeights(const Layer& layer, std::uint64_t seed) : random_(seed, layer.name + "/weights") {
    constexpr double kLargest = 16383, kValues = kLargest + 1;
    const double sigma = std::sqrt(4 * (kValues * kValues - 1) / 12);
    const double wanted = std::sqrt(2 / static_cast<double>(layer.fan_in()));
    for (int sum = 0; sum <= 4 * kLargest; ++sum) {
      reals_.push_back(static_cast<float>((sum - 2 * kLargest) / sigma * wanted));
    }
  }
  const std::vector<float>& reals() const { return reals_; }
  std::size_t next() {
    const std::uint64_t bits = random_.next();
    return (bits & 16383) + (bits >> 16 & 16383) + (bits >> 32 & 16383) + (bits >> 48 & 16383);
  }

 private:
  base::Random random_;
  std::vector<float> reals_;
};

// At most kSample weights: evenly spread over all that are given, the first of random ones.
template <class Source>
std::vector<float> sample(Source source, std::size_t count) {
  constexpr std::size_t kSample = std::size_t{1} << 20;
  const std::size_t stride = Source::kRandom ? 1 : (count + kSample - 1) / kSample;
  std::vector<float> weights;
  for (std::size_t i = 0; i < count && weights.size() < kSample; ++i) {
    if (i % kSample == 0) base::stop_if_interrupted();
    const std::size_t index = source.next();
    if (i % stride == 0) weights.push_back(source.reals()[index]);
  }
  return weights;
}

void put(std::vector<std::int8_t>& bytes, std::size_t at, unsigned code, bool two) {
  if (two) {
    bytes[2 * at] = static_cast<std::int8_t>(code);
    bytes[2 * at + 1] = static_cast<std::int8_t>(code >> 8);
  } else {
    bytes[at] = static_cast<std::int8_t>(code);
  }
}

template <class Source>
CodedWeights encode(Layer& layer, const Source& source, const Quantisation& quantisation) {
  const auto count = static_cast<std::size_t>(layer.weight_count());
  const std::shared_ptr<const arith::WeightCodec> codec =
      quantisation.method->fit(sample(source, count), quantisation.weight_bits);
  const std::vector<float>& reals = source.reals();
  std::vector<std::uint16_t> codes;
  std::vector<float> operands;
  for (const float real : reals) {
    const unsigned code = codec->project(codec->prepare(real));
    codes.push_back(static_cast<std::uint16_t>(code));
    const bool fine = quantisation.grain == arith::Grain::fine;
    operands.push_back(fine ? codec->operand(code) : static_cast<float>(codec->integer(code)));
  }

  CodedWeights coded;
  std::vector<std::int8_t> bytes(static_cast<std::size_t>(layer.weight_bytes()));
  double squares = 0, along = 0;
  float lowest = 0;
  Source walk = source;
  for (std::size_t i = 0; i < count;) {
    base::stop_if_interrupted();
    double sum = 0;
    for (const std::size_t end = i + static_cast<std::size_t>(layer.fan_in()); i < end; ++i) {
      const std::size_t index = walk.next();
      put(bytes, i, codes[index], layer.weight_bits > 8);
      sum += operands[index];
      lowest = std::min(lowest, operands[index]);
      squares += operands[index] * operands[index];
      along += operands[index] * reals[index];
    }
    coded.sums.push_back(sum);
  }
  layer.weights = std::move(bytes);
  layer.codec = codec;
  layer.lowest_weight = static_cast<int>(std::floor(lowest));
  coded.rms = std::sqrt(squares / static_cast<double>(count));
  if (!Source::kRandom && squares > 0) coded.unit = 128 * along / squares;
  return coded;
}

CodedWeights as_they_are(const Layer& layer) {
  CodedWeights coded;
  double squares = 0;
  for (std::size_t i = 0; i < layer.weights.size();) {
    base::stop_if_interrupted();
    double sum = 0;
    for (const std::size_t end = i + static_cast<std::size_t>(layer.fan_in()); i < end; ++i) {
      sum += layer.weights[i];
      squares += layer.weights[i] * layer.weights[i];
    }
    coded.sums.push_back(sum);
  }
  coded.rms = std::sqrt(squares / static_cast<double>(layer.weights.size()));
  return coded;
}

}  // namespace

bool keeps_weights(const Layer& layer, const Quantisation& quantisation) {
  return layer.weights_given && quantisation.method->linear() && quantisation.weight_bits == 8;
}

CodedWeights code_weights(Layer& layer, const Quantisation& quantisation, std::uint64_t seed) {
  if (!layer.weights_given) {
    layer.weights = {};
    return encode(layer, BellWeights(layer, seed), quantisation);
  }
  if (keeps_weights(layer, quantisation)) return as_they_are(layer);
  const std::vector<std::int8_t> given = std::move(layer.weights);
  return encode(layer, GivenWeights(given), quantisation);
}

}  // namespace fansim::network
