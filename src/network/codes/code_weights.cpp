// SPDX-License-Identifier: Apache-2.0
#include "network/codes/code_weights.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "base/interrupt.h"
#include "base/random.h"
#include "base/workers.h"

namespace fansim::network {
namespace {

// Weights as indices into a table of reals. A method maps each real once, however many weights there are.
class GivenWeights {
 public:
  static constexpr bool kRandom = false;
  explicit GivenWeights(const std::vector<std::int8_t>& weights) : weights_(weights) {
    for (int i = 0; i < 256; ++i) reals_.push_back(static_cast<float>(static_cast<std::int8_t>(i)) / 128);
  }
  const std::vector<float>& reals() const { return reals_; }

  class Walk {
   public:
    explicit Walk(const std::int8_t* at) : at_(at) {}
    std::size_t next() { return static_cast<std::uint8_t>(*at_++); }

   private:
    const std::int8_t* at_;
  };
  Walk from(std::size_t weight) const { return Walk(weights_.data() + weight); }

 private:
  const std::vector<std::int8_t>& weights_;
  std::vector<float> reals_;
};

// Weights whose distribution is nearly normal: sums of four uniform numbers of 14 bits, scaled.
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

  class Walk {
   public:
    explicit Walk(const base::Random& random) : random_(random) {}
    std::size_t next() {
      const std::uint64_t bits = random_.next();
      return (bits & 16383) + (bits >> 16 & 16383) + (bits >> 32 & 16383) + (bits >> 48 & 16383);
    }

   private:
    base::Random random_;
  };
  Walk from(std::size_t weight) const {
    base::Random random = random_;
    random.skip(weight);
    return Walk(random);
  }

 private:
  base::Random random_;
  std::vector<float> reals_;
};

// Returns at most kSample weights: evenly spread over all given ones, or the first of random ones.
template <class Source>
std::vector<float> sample(const Source& source, std::size_t count) {
  constexpr std::size_t kSample = std::size_t{1} << 20;
  const std::size_t stride = Source::kRandom ? 1 : (count + kSample - 1) / kSample;
  auto walk = source.from(0);
  std::vector<float> weights;
  for (std::size_t i = 0; i < count && weights.size() < kSample; ++i) {
    if (i % kSample == 0) base::stop_if_interrupted();
    const std::size_t index = walk.next();
    if (i % stride == 0) weights.push_back(source.reals()[index]);
  }
  return weights;
}

// Encodes a layer's weights in a method's codes.
template <class Source>
class Encoder {
 public:
  Encoder(Layer& layer, const Source& source, const Quantisation& quantisation)
      : layer_(layer),
        source_(source),
        fan_in_(static_cast<std::size_t>(layer.fan_in())),
        count_(static_cast<std::size_t>(layer.weight_count())),
        codec_(quantisation.method->fit(sample(source, count_), quantisation.weight_bits)),
        fine_(quantisation.grain == arith::Grain::fine),
        wide_(layer.parameters().weight_bits > 8) {
    for (const float real : source.reals())
      codes_.push_back(static_cast<std::uint16_t>(codec_->project(codec_->prepare(real))));
  }

  CodedWeights run() {
    bytes_.resize(static_cast<std::size_t>(layer_.weight_bytes()));
    coded_.sums.resize(count_ / fan_in_);
    const Totals totals = exact() ? in_pieces() : in_order();
    Parameters& parameters = layer_.parameters();
    parameters.weights = std::move(bytes_);
    parameters.codec = codec_;
    coded_.rms = std::sqrt(totals.squares / static_cast<double>(count_));
    // Where all weights are 0 and codes have no 0, no factor is better than another.
    if (!Source::kRandom && totals.along > 0) coded_.unit = 128 * totals.along / totals.squares;
    return std::move(coded_);
  }

 private:
  // Sums over what the weights stand for: squares, and products with the reals.
  struct Totals {
    double squares = 0, along = 0;
  };

  // Returns whether the weights stand for integers so small that totals are exact, in whatever order they are added.
  bool exact() const {
    constexpr int kMost = 1 << 12;
    constexpr std::size_t kMostWeights = std::size_t{1} << 29;
    return !fine_ && count_ <= kMostWeights && std::all_of(codes_.begin(), codes_.end(), [this](std::uint16_t code) {
      return std::abs(codec_->integer(code)) < kMost;
    });
  }

  Totals in_pieces() {
    if (wide_) return in_pieces(codes_);
    return in_pieces(std::vector<std::uint8_t>(codes_.begin(), codes_.end()));
  }
  // `codes` are those of the reals, as wide as in the layer's bytes.
  template <class Code>
  Totals in_pieces(const std::vector<Code>& codes) {
    constexpr std::size_t kPiece = std::size_t{1} << 19;  // weights per piece
    std::vector<std::int16_t> integers;
    for (unsigned code = 0; code < codec_->codes(); ++code)
      integers.push_back(static_cast<std::int16_t>(codec_->integer(code)));
    const std::size_t rows = coded_.sums.size(), each = std::max<std::size_t>(1, kPiece / fan_in_);
    std::vector<Totals> pieces((rows + each - 1) / each);
    base::Workers(base::cores()).each(pieces.size(), [&](std::size_t piece) {
      pieces[piece] = code_rows(codes.data(), integers.data(), piece * each, std::min(rows, (piece + 1) * each));
    });
    Totals all;
    for (const Totals& piece : pieces) {
      all.squares += piece.squares;
      all.along += piece.along;
    }
    return all;
  }

  // Encodes outputs [first, last).
  template <class Code>
  Totals code_rows(const Code* codes, const std::int16_t* integers, std::size_t first, std::size_t last) {
    auto walk = source_.from(first * fan_in_);
    std::int8_t* to = bytes_.data() + first * fan_in_ * sizeof(Code);
    std::int64_t squares = 0, along = 0;  // `along` in units of 1/128
    for (std::size_t row = first; row < last; ++row) {
      base::stop_if_interrupted();
      std::int64_t sum = 0;
      for (std::size_t left = fan_in_; left > 0; --left) {
        const std::size_t index = walk.next();
        const Code code = codes[index];
        const int integer = integers[code];
        put(code, to);
        sum += integer;
        squares += integer * integer;
        if (!Source::kRandom) along += integer * static_cast<std::int8_t>(index);
      }
      coded_.sums[row] = static_cast<double>(sum);
    }
    return {static_cast<double>(squares), static_cast<double>(along) / 128};
  }

  // Sums of floats depend on their order, so they are added in order.
  Totals in_order() {
    const std::vector<float>& reals = source_.reals();
    std::vector<float> operands;
    for (const std::uint16_t code : codes_)
      operands.push_back(fine_ ? codec_->operand(code) : static_cast<float>(codec_->integer(code)));
    Totals totals;
    auto walk = source_.from(0);
    std::int8_t* to = bytes_.data();
    for (double& sum : coded_.sums) {
      base::stop_if_interrupted();
      for (std::size_t left = fan_in_; left > 0; --left) {
        const std::size_t index = walk.next();
        wide_ ? put(codes_[index], to) : put(static_cast<std::uint8_t>(codes_[index]), to);
        sum += operands[index];
        totals.squares += operands[index] * operands[index];
        totals.along += operands[index] * reals[index];
      }
    }
    return totals;
  }

  static void put(std::uint8_t code, std::int8_t*& to) { *to++ = static_cast<std::int8_t>(code); }
  static void put(std::uint16_t code, std::int8_t*& to) {
    *to++ = static_cast<std::int8_t>(code);
    *to++ = static_cast<std::int8_t>(code >> 8);
  }

  Layer& layer_;
  const Source& source_;
  const std::size_t fan_in_, count_;
  const std::shared_ptr<const arith::WeightCodec> codec_;
  const bool fine_, wide_;            // wide: a code takes two bytes
  std::vector<std::uint16_t> codes_;  // codes of the reals
  std::vector<std::int8_t> bytes_;
  CodedWeights coded_;
};

CodedWeights as_they_are(const Layer& layer) {
  CodedWeights coded;
  double squares = 0;
  const std::vector<std::int8_t>& weights = layer.parameters().weights;
  for (std::size_t i = 0; i < weights.size();) {
    base::stop_if_interrupted();
    double sum = 0;
    for (const std::size_t end = i + static_cast<std::size_t>(layer.fan_in()); i < end; ++i) {
      sum += weights[i];
      squares += weights[i] * weights[i];
    }
    coded.sums.push_back(sum);
  }
  coded.rms = std::sqrt(squares / static_cast<double>(weights.size()));
  return coded;
}

}  // namespace

bool keeps_weights(const Layer& layer, const Quantisation& quantisation) {
  return layer.parameters().weights_given && quantisation.method->linear() && quantisation.weight_bits == 8;
}

CodedWeights code_weights(Layer& layer, const Quantisation& quantisation, std::uint64_t seed) {
  if (!layer.parameters().weights_given) {
    layer.parameters().weights = {};
    const BellWeights random(layer, seed);
    return Encoder<BellWeights>(layer, random, quantisation).run();
  }
  if (keeps_weights(layer, quantisation)) return as_they_are(layer);
  const std::vector<std::int8_t> bytes = std::move(layer.parameters().weights);
  const GivenWeights given(bytes);
  return Encoder<GivenWeights>(layer, given, quantisation).run();
}

}  // namespace fansim::network
