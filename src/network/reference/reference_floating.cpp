// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>

#include "arith/float/arithmetic.h"
#include "arith/float/exponential.h"
#include "network/reference/reference_layers.h"

// Computes layers in floating point, a number at a time in the order of docs/trainer.md. The operations are those of
// docs/float.md (arith/float), whose own tests compare them with exact integers.
namespace fansim::network {
namespace {

using arith::FloatArithmetic;

class Floats {
 public:
  Floats(const Layer& layer, const Tensor& in)
      : layer_(layer), stage_(*layer.floating()), unit_(stage_.format, stage_.rounding), in_(in) {
    out_ = {layer.out, layer.out_format, {}};
    out_.resize(static_cast<std::size_t>(layer.out.elements()));
  }

  Tensor run() {
    switch (layer_.type()) {
      case LayerType::conv:
        convolve();
        break;
      case LayerType::fc:
        connect();
        break;
      case LayerType::maxpool:
        pool();
        break;
      case LayerType::softmax:
        softmax();
        break;
      case LayerType::flatten:
        out_.format = in_.format;
        out_.bytes = in_.bytes;
        break;
      default:
        throw std::invalid_argument(layer_.name + ": not computed in floating point");
    }
    return std::move(out_);
  }

 private:
  // Returns an input in the layer's format. A picture's code stands for its 256th part.
  std::uint64_t input(std::int64_t at) {
    const auto i = static_cast<std::size_t>(at);
    if (in_.format.type != DataType::float32) return unit_.from_double(in_.at(i) / 256.0, events_);
    return unit_.convert(word(in_, i), arith::kSingle, events_);
  }
  static std::uint32_t word(const Tensor& tensor, std::size_t i) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &tensor.bytes[4 * i], sizeof bits);
    return bits;
  }
  void output(std::int64_t at, std::uint64_t word) {
    const auto bits = static_cast<std::uint32_t>(FloatArithmetic(arith::kSingle).convert(word, stage_.format, events_));
    std::memcpy(&out_.bytes[static_cast<std::size_t>(4 * at)], &bits, sizeof bits);
  }
  std::uint64_t weight(std::int64_t at) {
    return unit_.convert(stage_.weights[static_cast<std::size_t>(at)], arith::kSingle, events_);
  }
  void add(std::uint64_t& sum, std::uint64_t a, std::uint64_t b) {
    const FloatArithmetic adder(stage_.sum, stage_.rounding);
    sum = adder.add(sum, adder.convert(unit_.multiply(a, b, events_), stage_.format, events_), events_);
  }
  void result(std::int64_t at, std::uint64_t sum) {
    const std::uint64_t word = unit_.convert(sum, stage_.sum, events_);
    const bool cut = layer_.activation == Activation::relu && (word & stage_.format.sign_mask()) != 0;
    output(at, cut ? 0 : word);
  }

  void convolve() {
    const Window& window = layer_.window();
    const std::int64_t height = layer_.in.height, width = layer_.in.width, k = window.kernel;
    std::int64_t to = 0;
    for (std::int64_t f = 0; f < layer_.outputs(); ++f)
      for (std::int64_t y = 0; y < layer_.out.height; ++y)
        for (std::int64_t x = 0; x < layer_.out.width; ++x, ++to) {
          std::uint64_t sum = 0;
          for (std::int64_t c = 0; c < layer_.in.channels; ++c)
            for (std::int64_t tap = 0; tap < k * k; ++tap) {
              const std::int64_t row = y * window.stride + tap / k - window.padding[0];
              const std::int64_t column = x * window.stride + tap % k - window.padding[1];
              if (row < 0 || row >= height || column < 0 || column >= width) continue;
              add(sum, input((c * height + row) * width + column), weight((f * layer_.in.channels + c) * k * k + tap));
            }
          result(to, sum);
        }
  }

  void connect() {
    const std::int64_t inputs = layer_.in.elements();
    for (std::int64_t unit = 0; unit < layer_.outputs(); ++unit) {
      std::uint64_t sum = 0;
      for (std::int64_t i = 0; i < inputs; ++i) add(sum, input(i), weight(unit * inputs + i));
      result(unit, sum);
    }
  }

  void pool() {
    const std::int64_t k = layer_.window().kernel, stride = layer_.window().stride;
    std::int64_t to = 0;
    for (std::int64_t c = 0; c < layer_.out.channels; ++c)
      for (std::int64_t y = 0; y < layer_.out.height; ++y)
        for (std::int64_t x = 0; x < layer_.out.width; ++x, ++to) {
          std::uint64_t best = 0;
          for (std::int64_t tap = 0; tap < k * k; ++tap) {
            const std::uint64_t value =
                input((c * layer_.in.height + y * stride + tap / k) * layer_.in.width + x * stride + tap % k);
            if (tap == 0 || unit_.to_double(best) < unit_.to_double(value)) best = value;
          }
          output(to, best);
        }
  }

  void softmax() {
    const std::int64_t values = layer_.in.elements();
    std::uint64_t largest = input(0), sum = 0;
    for (std::int64_t i = 1; i < values; ++i)
      if (unit_.to_double(largest) < unit_.to_double(input(i))) largest = input(i);
    const arith::FloatExponential power(stage_.format, arith::FloatExponential::enough_table_bits(stage_.format),
                                        stage_.rounding);
    std::vector<std::uint64_t> powers;
    for (std::int64_t i = 0; i < values; ++i) {
      powers.push_back(power.exponential(unit_.subtract(input(i), largest, events_), events_));
      sum = unit_.add(sum, powers.back(), events_);
    }
    for (std::int64_t i = 0; i < values; ++i) output(i, quotient(powers[static_cast<std::size_t>(i)], sum));
  }

  std::uint64_t quotient(std::uint64_t a, std::uint64_t b) {
    if (stage_.array_divider)
      return arith::ArrayDivider(stage_.format, stage_.rounding, stage_.array).divide(a, b, events_);
    return arith::ReciprocalDivider(stage_.format, stage_.reciprocal, stage_.rounding).divide(a, b, events_);
  }

  const Layer& layer_;
  const FloatStage& stage_;
  const FloatArithmetic unit_;
  const Tensor& in_;
  Tensor out_;
  arith::FloatEvents events_;
};

}  // namespace

Tensor run_floating(const Layer& layer, const Tensor& in) { return Floats(layer, in).run(); }

}  // namespace fansim::network
