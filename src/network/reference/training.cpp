// SPDX-License-Identifier: Apache-2.0
#include "network/reference/training.h"

#include <cstring>

#include "arith/float/arithmetic.h"
#include "network/reference/reference_layers.h"

namespace fansim::network {
namespace {

using arith::FloatArithmetic;
using arith::FloatFormat;

std::vector<std::uint32_t> words_of(const Tensor& tensor) {
  std::vector<std::uint32_t> words(tensor.bytes.size() / 4);
  std::memcpy(words.data(), tensor.bytes.data(), 4 * words.size());
  return words;
}

std::uint32_t word_at(const Tensor& tensor, std::size_t i) {
  std::uint32_t word = 0;
  std::memcpy(&word, &tensor.bytes[4 * i], sizeof word);
  return word;
}

// Converts words of single precision to and from other formats.
struct Operations {
  FloatFormat format;
  arith::FloatRounding rounding;
  mutable arith::FloatEvents events{};

  FloatArithmetic unit() const { return FloatArithmetic(format, rounding); }
  std::uint64_t of(std::uint32_t word) const { return unit().convert(word, arith::kSingle, events); }
  std::uint64_t pixel(int code) const { return unit().from_double(code / 256.0, events); }
  std::uint32_t single(std::uint64_t word) const {
    return static_cast<std::uint32_t>(FloatArithmetic(arith::kSingle).convert(word, format, events));
  }
};

}  // namespace

ReferenceTraining::ReferenceTraining(const Network& network) : network_(network), deltas_(network.layers.size()) {
  for (Layer& layer : network_.layers) {
    stages_.push_back(std::make_shared<FloatStage>(*layer.floating()));
    layer.arithmetic = std::shared_ptr<const FloatStage>(stages_.back());
  }
}

std::vector<std::uint32_t> ReferenceTraining::weights() const {
  Words all;
  for (const auto& stage : stages_) all.insert(all.end(), stage->weights.begin(), stage->weights.end());
  return all;
}

bool ReferenceTraining::learns_below(std::size_t i) const {
  for (std::size_t j = 0; j < i; ++j)
    if (network_.layers[j].computes()) return true;
  return false;
}

// Returns whether the layer's input went through ReLU. Its gradient is zero where ReLU cut it.
bool ReferenceTraining::cuts_before(std::size_t i) const {
  while (i > 0 && network_.layers[i - 1].type() == LayerType::flatten) --i;
  return i > 0 && network_.layers[i - 1].activation == Activation::relu;
}

// Returns the pixels as the first computing layer reads them.
Tensor ReferenceTraining::pixels(const std::uint8_t* image) const {
  std::size_t first = 0;
  while (network_.layers[first].type() == LayerType::flatten) ++first;
  const Operations ops{stages_[first]->format, stages_[first]->rounding};
  Tensor tensor{network_.input.shape, NumberFormat::of(DataType::float32), {}};
  tensor.resize(static_cast<std::size_t>(tensor.shape.elements()));
  for (std::size_t i = 0; i < tensor.size(); ++i) {
    const std::uint32_t word = ops.single(ops.pixel(image[i]));
    std::memcpy(&tensor.bytes[4 * i], &word, sizeof word);
  }
  return tensor;
}

void ReferenceTraining::learn(const std::uint8_t* image, int label, std::uint32_t learning_rate) {
  std::vector<Tensor> tensors{pixels(image)};
  for (const Layer& layer : network_.layers) tensors.push_back(run_floating(layer, tensors.back()));

  // Gradient of the cross entropy at softmax's input.
  const std::size_t last = network_.layers.size() - 1;
  const Operations ops{stages_[last]->format, stages_[last]->rounding};
  Words gradient = words_of(tensors.back());
  std::uint32_t& at_label = gradient.at(static_cast<std::size_t>(label));
  arith::FloatEvents events;
  at_label = ops.single(ops.unit().subtract(ops.of(at_label), ops.unit().from_double(1, events), events));
  if (cuts_before(last))
    for (std::size_t j = 0; j < gradient.size(); ++j)
      if (word_at(tensors[last], j) == 0) gradient[j] = 0;
  for (std::size_t i = last; i-- > 0;) {
    backward(i, tensors[i], tensors[i + 1], gradient);
    if (!learns_below(i)) break;
  }
  for (std::size_t i = 0; i < last; ++i)
    if (network_.layers[i].computes()) update(i, learning_rate);
}

// `gradient` is that of the layer's output, and becomes that of its input.
void ReferenceTraining::backward(std::size_t i, const Tensor& in, const Tensor& out, Words& gradient) {
  const Layer& layer = network_.layers[i];
  if (layer.type() == LayerType::flatten) return;
  if (layer.type() == LayerType::maxpool)
    through_pooling(i, in, out, gradient);
  else
    through_products(i, in, gradient);
}

void ReferenceTraining::through_products(std::size_t i, const Tensor& in, Words& gradient) {
  const Layer& layer = network_.layers[i];
  const FloatStage& stage = *stages_[i];
  const Operations ops{stage.backward, stage.rounding};
  const FloatArithmetic unit = ops.unit(), adder(stage.sum, stage.rounding);
  // A fully connected layer is treated as a convolution of a map with one position.
  const bool conv = layer.type() == LayerType::conv;
  const std::int64_t channels = conv ? layer.in.channels : layer.in.elements(), k = layer.window().kernel;
  const std::int64_t height = conv ? layer.in.height : 1, width = conv ? layer.in.width : 1;
  const std::int64_t rows = conv ? layer.out.height : 1, columns = conv ? layer.out.width : 1;
  const std::int64_t filters = layer.outputs(), stride = layer.window().stride;
  const std::int64_t top = layer.window().padding[0], left = layer.window().padding[1];
  const auto value = [&](std::int64_t at) { return ops.of(word_at(in, static_cast<std::size_t>(at))); };
  const auto back = [&](std::int64_t at) { return ops.of(gradient[static_cast<std::size_t>(at)]); };
  const auto add = [&](std::uint64_t& sum, std::uint64_t a, std::uint64_t b) {
    sum = adder.add(sum, adder.convert(unit.multiply(a, b, ops.events), stage.backward, ops.events), ops.events);
  };
  const auto result = [&](std::uint64_t sum) { return ops.single(unit.convert(sum, stage.sum, ops.events)); };

  Words& deltas = deltas_[i];
  deltas.clear();
  for (std::int64_t f = 0; f < filters; ++f)
    for (std::int64_t c = 0; c < channels; ++c)
      for (std::int64_t tap = 0; tap < k * k; ++tap) {
        std::uint64_t sum = 0;
        for (std::int64_t y = 0; y < rows; ++y)
          for (std::int64_t x = 0; x < columns; ++x) {
            const std::int64_t row = y * stride + tap / k - top, column = x * stride + tap % k - left;
            if (row < 0 || row >= height || column < 0 || column >= width) continue;
            add(sum, value((c * height + row) * width + column), back((f * rows + y) * columns + x));
          }
        deltas.push_back(result(sum));
      }
  if (!learns_below(i)) return;

  Words before;
  for (std::int64_t c = 0; c < channels; ++c)
    for (std::int64_t row = 0; row < height; ++row)
      for (std::int64_t column = 0; column < width; ++column) {
        std::uint64_t sum = 0;
        for (std::int64_t f = 0; f < filters; ++f)
          for (std::int64_t tap = 0; tap < k * k; ++tap) {
            const std::int64_t down = row + top - tap / k, right = column + left - tap % k;
            if (down < 0 || right < 0 || down % stride != 0 || right % stride != 0) continue;
            if (down / stride >= rows || right / stride >= columns) continue;
            const std::int64_t weight = (f * channels + c) * k * k + tap;
            add(sum, back((f * rows + down / stride) * columns + right / stride),
                ops.of(stage.weights[static_cast<std::size_t>(weight)]));
          }
        const std::size_t at = before.size();
        before.push_back(cuts_before(i) && word_at(in, at) == 0 ? 0 : result(sum));
      }
  gradient = std::move(before);
}

void ReferenceTraining::through_pooling(std::size_t i, const Tensor& in, const Tensor& out, Words& gradient) {
  const Layer& layer = network_.layers[i];
  const Operations ops{stages_[i]->format, stages_[i]->rounding};
  const FloatArithmetic unit = ops.unit();
  const std::int64_t k = layer.window().kernel, stride = layer.window().stride;
  const Words pooled = words_of(out);
  Words before(in.size(), 0);
  std::size_t from = 0;
  for (std::int64_t c = 0; c < layer.out.channels; ++c)
    for (std::int64_t y = 0; y < layer.out.height; ++y)
      for (std::int64_t x = 0; x < layer.out.width; ++x, ++from) {
        if (cuts_before(i) && pooled[from] == 0) continue;
        // The gradient goes to the first cell of the window that holds its largest value.
        for (std::int64_t tap = 0; tap < k * k; ++tap) {
          const std::int64_t row = y * stride + tap / k, column = x * stride + tap % k;
          const auto at = static_cast<std::size_t>((c * layer.in.height + row) * layer.in.width + column);
          if (ops.single(ops.of(word_at(in, at))) != pooled[from]) continue;
          before[at] = ops.single(unit.convert(gradient[from], arith::kSingle, ops.events));
          break;
        }
      }
  gradient = std::move(before);
}

void ReferenceTraining::update(std::size_t i, std::uint32_t learning_rate) {
  FloatStage& stage = *stages_[i];
  const Operations ops{stage.weight_format, stage.rounding};
  for (std::size_t j = 0; j < stage.weights.size(); ++j) {
    const std::uint64_t step = ops.unit().multiply(ops.of(learning_rate), ops.of(deltas_[i][j]), ops.events);
    stage.weights[j] = ops.single(ops.unit().subtract(ops.of(stage.weights[j]), step, ops.events));
  }
}

}  // namespace fansim::network
