// SPDX-License-Identifier: Apache-2.0
#include "accelerators/trainer/config/phases.h"

#include <algorithm>

namespace fansim::trainer {
namespace {

UnitIndex behind(UnitIndex forward, int by) { return static_cast<UnitIndex>(static_cast<int>(forward) + by); }

BucketIndex bucket_of(const LayerEntry& layer, bool back) {
  if (layer.kind == LayerKind::convolution) return back ? kConvolutionBack : kConvolution;
  return back ? kFullyConnectedBack : kFullyConnected;
}

void backward(const Job& job, std::vector<Phase>& phases) {
  std::size_t first = 0;  // layers below it have nothing to learn, so they need no gradient
  while (first < job.layers && !job.table[first].has_weights()) ++first;
  for (std::size_t i = job.layers - 1; i-- > first;) {
    const LayerEntry& layer = job.table[i];
    if (layer.kind == LayerKind::pooling) {
      phases.push_back({PhaseKind::unpool, UnitIndex::pooling, kPoolingBack, i});
      continue;
    }
    const UnitIndex unit = behind(forward_unit(job, i), 1);
    if (i > first) phases.push_back({PhaseKind::input_gradient, unit, bucket_of(layer, true), i});
    phases.push_back({PhaseKind::weight_gradient, unit, bucket_of(layer, true), i});
  }
  for (std::size_t i = 0; i < job.layers; ++i)
    if (job.table[i].has_weights()) phases.push_back({PhaseKind::update, behind(forward_unit(job, i), 2), kUpdate, i});
}

}  // namespace

std::vector<Phase> phases_of(const Job& job) {
  std::vector<Phase> phases;
  if (job.command == Command::store_weights) return {{PhaseKind::store, UnitIndex::storer, kStore, 0}};
  phases.push_back({PhaseKind::load, UnitIndex::loader, kLoad, 0});
  if (job.command == Command::load_weights) return phases;
  for (std::size_t i = 0; i < job.layers; ++i) {
    const LayerEntry& layer = job.table[i];
    if (layer.has_weights())
      phases.push_back({PhaseKind::forward, forward_unit(job, i), bucket_of(layer, false), i});
    else if (layer.kind == LayerKind::pooling)
      phases.push_back({PhaseKind::pool, UnitIndex::pooling, kPooling, i});
    else
      phases.push_back({PhaseKind::softmax, UnitIndex::softmax, kSoftmax, i});
  }
  if (job.command == Command::train) backward(job, phases);
  phases.push_back({PhaseKind::store, UnitIndex::storer, kStore, job.layers - 1});
  return phases;
}

Layout::Layout(const Job& job) {
  tensor[0] = 0;
  std::int64_t end = job.table[0].in_words();
  for (std::size_t i = 0; i < job.layers; ++i) {
    tensor[i + 1] = end;
    weights[i] = all_weights;
    end += job.table[i].out_words();
    all_weights += job.table[i].weights();
  }
  activations = end;
}

UnitIndex forward_unit(const Job& job, std::size_t layer) {
  if (job.table[layer].kind == LayerKind::convolution) return UnitIndex::convolution_forward;
  for (std::size_t i = 0; i < layer; ++i)
    if (job.table[i].kind == LayerKind::fully_connected) return UnitIndex::fc2_forward;
  return UnitIndex::fc1_forward;
}

const WeightedConfig& block_of(const Config& config, const Job& job, std::size_t layer) {
  const UnitIndex unit = forward_unit(job, layer);
  if (unit == UnitIndex::convolution_forward) return config.convolution;
  return unit == UnitIndex::fc1_forward ? config.fc1 : config.fc2;
}

arith::FloatFormat value_format(const Config& config, const Job& job, std::size_t tensor) {
  if (tensor > 0 && job.table[tensor - 1].kind == LayerKind::pooling) return config.pooling.format;
  if (tensor > 0 && job.table[tensor - 1].kind == LayerKind::softmax) return config.softmax.format;
  // The input is converted to the format of the unit that reads it.
  const std::size_t layer = tensor == 0 ? 0 : tensor - 1;
  if (job.table[layer].kind == LayerKind::pooling) return config.pooling.format;
  if (job.table[layer].kind == LayerKind::softmax) return config.softmax.format;
  return block_of(config, job, layer).forward;
}

// Gradients arrive in the format of the layer behind; that of the last layer's input comes from softmax.
arith::FloatFormat gradient_format(const Config& config, const Job& job, std::size_t tensor) {
  if (tensor >= job.layers || job.table[tensor].kind == LayerKind::softmax) return config.softmax.format;
  if (job.table[tensor].kind == LayerKind::pooling) return config.pooling.format;
  return block_of(config, job, tensor).backward;
}

std::int64_t Products::sums() const {
  switch (kind) {
    case PhaseKind::forward:
      return layer.out_words();
    case PhaseKind::input_gradient:
      return layer.in_words();
    default:
      return layer.weights();
  }
}

std::int64_t Products::terms() const {
  switch (kind) {
    case PhaseKind::forward:
      return layer.taps();
    case PhaseKind::input_gradient:
      return std::int64_t{layer.out_channels} * layer.kernel * layer.kernel;
    default:
      return std::int64_t{layer.out_height} * layer.out_width;
  }
}

// In the forward phase the sums go through all filters of a position before the next position. In other phases they are
// in the order of the tensor.
std::int64_t Products::result(std::int64_t sum) const {
  if (kind != PhaseKind::forward) return sum;
  const std::int64_t position = sum / layer.out_channels, filter = sum % layer.out_channels;
  return filter * layer.out_height * layer.out_width + position;
}

Products::Factors Products::factors(std::int64_t sum, std::int64_t term) const {
  const std::int64_t k = layer.kernel, window = k * k;
  const auto input = [&](std::int64_t position, std::int64_t tap) -> std::int64_t {
    const std::int64_t row = position / layer.out_width * layer.stride + tap % window / k - layer.top;
    const std::int64_t column = position % layer.out_width * layer.stride + tap % k - layer.left;
    if (row < 0 || row >= layer.in_height || column < 0 || column >= layer.in_width) return -1;
    return (tap / window * layer.in_height + row) * layer.in_width + column;
  };
  const std::int64_t positions = std::int64_t{layer.out_height} * layer.out_width;
  switch (kind) {
    case PhaseKind::forward:
      return {input(sum / layer.out_channels, term), sum % layer.out_channels * layer.taps() + term};
    case PhaseKind::input_gradient: {
      const std::int64_t plane = std::int64_t{layer.in_height} * layer.in_width;
      const std::int64_t channel = sum / plane, row = sum % plane / layer.in_width, column = sum % layer.in_width;
      const std::int64_t filter = term / window, tap = term % window;
      const std::int64_t weight = filter * layer.taps() + channel * window + tap;
      const std::int64_t down = row + layer.top - tap / k, right = column + layer.left - tap % k;
      const std::int64_t out_row = down / layer.stride, out_column = right / layer.stride;
      if (down < 0 || right < 0 || down % layer.stride != 0 || right % layer.stride != 0 ||
          out_row >= layer.out_height || out_column >= layer.out_width)
        return {-1, weight};
      return {filter * positions + out_row * layer.out_width + out_column, weight};
    }
    default: {
      const std::int64_t filter = sum / layer.taps(), tap = sum % layer.taps();
      return {input(term, tap), filter * positions + term};
    }
  }
}

std::int64_t product_slots(const Products& products, int accumulators) {
  constexpr std::int64_t kLeast = arith::FloatArithmetic::kAddLatency;
  const std::int64_t sums = products.sums(), group = accumulators, rest = sums % group;
  const std::int64_t turns = sums / group * std::max(group, kLeast) + (rest > 0 ? std::max(rest, kLeast) : 0);
  return turns * products.terms();
}

}  // namespace fansim::trainer
