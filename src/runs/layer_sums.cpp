// SPDX-License-Identifier: Apache-2.0
#include "runs/layer_sums.h"

#include <algorithm>
#include <cstdlib>

namespace fansim::runs {
namespace {

using network::Layer;
using network::LayerType;
using network::Parameters;

// Returns the largest magnitude that a weight's code can have.
std::int64_t largest_weight(const Parameters& parameters) {
  std::int64_t largest = 0;
  if (!parameters.codec) return -std::min(parameters.lowest_weight, -127);
  for (unsigned code = 0; code < 1U << parameters.weight_bits; ++code)
    largest = std::max<std::int64_t>(largest, std::abs(parameters.codec->integer(code)));
  return largest;
}

// Returns the largest sum of the weights' magnitudes of an output, or -1 if they are not drawn yet.
std::int64_t largest_row(const Layer& layer) {
  const Parameters& parameters = layer.parameters();
  if (parameters.weights.size() != static_cast<std::size_t>(layer.weight_bytes())) return -1;
  std::int64_t largest = 0;
  const std::int64_t row = layer.weight_count() / layer.outputs();
  for (std::int64_t first = 0; first < layer.weight_count(); first += row) {
    std::int64_t sum = 0;
    for (std::int64_t i = first; i < first + row; ++i) sum += std::abs(parameters.integer(static_cast<std::size_t>(i)));
    largest = std::max(largest, sum);
  }
  return largest;
}

}  // namespace

std::int64_t requantised_sums(const Layer& layer) {
  switch (layer.type()) {
    case LayerType::lstm:
    case LayerType::gru:
      return std::int64_t{4} * layer.recurrent().steps * layer.recurrent().hidden;  // gates, or halves of them
    case LayerType::conv:
    case LayerType::fc:
    case LayerType::avgpool:
    case LayerType::add:
      return layer.out.elements();
    default:
      return 0;
  }
}

bool may_leave(const Layer& layer, int bits) {
  if (!layer.computes() || layer.parameters().float_sums) return false;
  std::int64_t left = (std::int64_t{1} << (bits - 1)) - 1;
  for (const std::int64_t bias : layer.parameters().bias)
    left = std::min(left, (std::int64_t{1} << (bits - 1)) - 1 - std::abs(bias));
  const network::NumberFormat& format = layer.in_format;
  const std::int64_t value =
      std::max(format.highest() - format.zero_point, format.zero_point - format.lowest());  // lstm, gru: 127 of h too
  if (std::int64_t{layer.fan_in()} * largest_weight(layer.parameters()) * std::max<std::int64_t>(value, 128) <= left)
    return false;
  const std::int64_t row = largest_row(layer);
  return row < 0 || row * std::max<std::int64_t>(value, 128) > left;
}

bool reads_all(const Layer& pooling) {
  const network::Window& window = pooling.window();
  const auto end = [&](int windows, int before) { return (windows - 1) * window.stride - before + window.kernel; };
  return window.stride <= window.kernel && end(pooling.out.height, window.padding[0]) >= pooling.in.height &&
         end(pooling.out.width, window.padding[1]) >= pooling.in.width;
}

}  // namespace fansim::runs
