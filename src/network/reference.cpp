// SPDX-License-Identifier: Apache-2.0
#include "network/reference.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "network/exact_sum.h"
#include "network/reference_layers.h"

namespace fansim::network {
namespace {

// Requantises one exact sum, counts it, applies the activation and stores it.
void store(Result& result, std::size_t at, std::int64_t sum, const Layer& layer, const arith::Requantise& q,
           const arith::QuantiserFormat& format) {
  int value = arith::requantise(sum, q, format);
  const int lowest = q.is_unsigned ? 0 : -128;
  count(result.statistics, sum, value - q.zero_point, value == lowest || value == lowest + 255, format);
  if (layer.activation == Activation::relu) value = std::max(value, q.zero_point);
  result.out.bytes[at] = static_cast<std::int8_t>(value);
}

void run_fc(const Layer& layer, const arith::QuantiserFormat& format, const Tensor& in, Result& result) {
  const std::vector<std::int16_t> values = centred(in);
  for (int unit = 0; unit < layer.units; ++unit) {
    const auto row = static_cast<std::size_t>(unit);
    const std::int64_t sum = layer.bias[row] + dot(&layer.weights[row * values.size()], values.data(), values.size());
    store(result, row, sum, layer, layer.requantise(unit), format);
  }
}

// The windows of output positions [first, last) of one group, one tap after the other.
void gather(const Layer& layer, const Bordered& map, int group, std::size_t first, std::size_t last,
            std::vector<std::int16_t>& columns) {
  const int channels = layer.in.channels / layer.groups;
  const auto width = static_cast<std::size_t>(layer.out.width);
  columns.resize(static_cast<std::size_t>(layer.fan_in()) * (last - first));
  for (std::size_t p = first; p < last; ++p) {
    std::size_t to = p - first;
    for (int c = 0; c < channels; ++c) {
      const std::int16_t* window =
          map.window(group * channels + c, static_cast<int>(p / width), static_cast<int>(p % width));
      for (int kr = 0; kr < layer.kernel; ++kr) {
        for (int kc = 0; kc < layer.kernel; ++kc, to += last - first) columns[to] = window[kr * map.width() + kc];
      }
    }
  }
}

void run_conv(const Layer& layer, const arith::QuantiserFormat& format, const Tensor& in, Result& result) {
  const Bordered map(layer, in);
  const auto taps = static_cast<std::size_t>(layer.fan_in());
  const auto plane = static_cast<std::size_t>(layer.out.height) * static_cast<std::size_t>(layer.out.width);
  // Positions worked on together: their windows stay in the cache.
  const std::size_t block = std::clamp<std::size_t>((std::size_t{1} << 18) / taps / 16 * 16, 64, 2048);
  const int filters = layer.filters / layer.groups;
  std::vector<std::int16_t> columns;
  std::vector<std::int64_t> sums(block);
  for (int group = 0; group < layer.groups; ++group) {
    for (std::size_t first = 0; first < plane; first += block) {
      const std::size_t last = std::min(plane, first + block);
      gather(layer, map, group, first, last, columns);
      for (int f = group * filters; f < (group + 1) * filters; ++f) {
        const auto filter = static_cast<std::size_t>(f);
        const arith::Requantise q = layer.requantise(f);
        dot_columns(&layer.weights[filter * taps], columns.data(), taps, last - first, sums.data());
        for (std::size_t p = first; p < last; ++p) {
          store(result, filter * plane + p, sums[p - first] + layer.bias[filter], layer, q, format);
        }
      }
    }
  }
}

void run_add(const Layer& layer, const Tensor& a, const Tensor& b, Tensor& out) {
  const int lowest = out.is_unsigned ? 0 : -128;
  const int floor = layer.activation == Activation::relu ? out.zero_point : lowest;
  for (std::size_t i = 0; i < out.bytes.size(); ++i) {
    const int sum = a.at(i) + b.at(i) - out.zero_point;
    out.bytes[i] = static_cast<std::int8_t>(std::clamp(sum, floor, lowest + 255));
  }
}

void run_relu(const Tensor& in, Tensor& out) {
  for (std::size_t i = 0; i < out.bytes.size(); ++i) {
    out.bytes[i] = static_cast<std::int8_t>(std::max(in.at(i), in.zero_point));
  }
}

}  // namespace

void count(Statistics& statistics, std::int64_t sum, int value, bool saturated, const arith::QuantiserFormat& format) {
  ++statistics.values;
  statistics.zeros += value == 0;
  statistics.saturated += saturated && value != 0;
  statistics.accumulator_overflows += arith::overflows(sum, format);
  statistics.sum_squares += static_cast<double>(sum) * static_cast<double>(sum);
  statistics.value_squares += static_cast<double>(value) * value;
}

double Statistics::informative() const {
  return values == 0 ? 1 : static_cast<double>(values - zeros - saturated) / static_cast<double>(values);
}

double Statistics::sum_rms() const { return values == 0 ? 0 : std::sqrt(sum_squares / static_cast<double>(values)); }

double Statistics::value_rms() const {
  return values == 0 ? 0 : std::sqrt(value_squares / static_cast<double>(values));
}

Result run_reference(const Layer& layer, const arith::QuantiserFormat& format, const Tensor& in, const Tensor* with) {
  if (in.shape != layer.in || in.bytes.size() != static_cast<std::size_t>(layer.in.elements())) {
    throw std::invalid_argument(layer.name + ": the input has another shape");
  }
  if (layer.weights.size() != static_cast<std::size_t>(layer.weight_count())) {
    throw std::invalid_argument(layer.name + ": loaded without values");
  }
  Result result;
  result.out = {layer.out, layer.is_unsigned, layer.zero_point, {}, layer.out_bits};
  result.out.resize(static_cast<std::size_t>(layer.out.elements()));
  switch (layer.type) {
    case LayerType::conv:
      run_conv(layer, format, in, result);
      break;
    case LayerType::fc:
      run_fc(layer, format, in, result);
      break;
    case LayerType::maxpool:
      run_maxpool(layer, in, result.out);
      break;
    case LayerType::avgpool:
      run_avgpool(layer, format, in, result.out);
      break;
    case LayerType::lstm:
      run_lstm(layer, format, in, result);
      break;
    case LayerType::gru:
      run_gru(layer, format, in, result);
      break;
    case LayerType::add:
      run_add(layer, in, *with, result.out);
      break;
    case LayerType::relu:
      run_relu(in, result.out);
      break;
    case LayerType::flatten:
      result.out.bytes = in.bytes;
      break;
  }
  return result;
}

std::vector<Result> run_reference(const Network& network, const arith::QuantiserFormat& format) {
  std::vector<Result> results;
  const auto produced = [&](int index) -> const Tensor& {
    return index == Layer::kInput ? network.input : results[static_cast<std::size_t>(index)].out;
  };
  for (const Layer& layer : network.layers) {
    results.push_back(run_reference(layer, format, produced(layer.source), &produced(layer.with)));
  }
  return results;
}

}  // namespace fansim::network
