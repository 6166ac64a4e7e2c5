// SPDX-License-Identifier: Apache-2.0
#include "network/reference/reference.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "base/interrupt.h"
#include "base/workers.h"
#include "network/reference/exact_sum.h"
#include "network/reference/reference_arithmetic.h"
#include "network/reference/reference_layers.h"
#include "network/reference/windows.h"

namespace fansim::network {
namespace {

// Returns workers on every core, or one worker if the layer takes less time than starting threads.
base::Workers workers_for(const Layer& layer) {
  constexpr std::int64_t kWorthIt = std::int64_t{1} << 22;  // multiply-accumulates
  return base::Workers(layer.macs() < kWorthIt ? 1 : base::cores());
}

void count_value(Statistics& statistics, double sum, int value, bool saturated) {
  ++statistics.values;
  statistics.zeros += value == 0;
  statistics.saturated += saturated && value != 0;
  statistics.sum_squares += sum * sum;
  statistics.value_squares += static_cast<double>(value) * value;
}

void put(Tensor& out, Statistics& statistics, std::size_t at, int value, double sum, const Layer& layer) {
  const NumberFormat& format = out.format;
  const int zero = format.zero_point, lowest = format.lowest();
  count_value(statistics, sum, value - zero, value == lowest || value == format.highest());
  if (format.bits <= 2) ++statistics.codes[static_cast<std::size_t>(value - lowest)];
  out.set(at, layer.activation == Activation::relu ? std::max(value, zero) : value);
}

void add(Statistics& sum, const Statistics& part) {
  sum.values += part.values;
  sum.zeros += part.zeros;
  sum.saturated += part.saturated;
  sum.accumulator_overflows += part.accumulator_overflows;
  sum.sum_squares += part.sum_squares;
  sum.value_squares += part.value_squares;
  for (std::size_t i = 0; i < sum.codes.size(); ++i) sum.codes[i] += part.codes[i];
}

// Holds what a part of a convolution adds to the layer's result.
struct Part {
  Statistics statistics;
  arith::Saturation saturation;
};

void run_fc(const Layer& layer, const arith::QuantiserFormat& format, const Tensor& in, Result& result) {
  const auto values = centred<std::int16_t>(in);
  const Parameters& parameters = layer.parameters();
  std::vector<std::int64_t> sums(static_cast<std::size_t>(layer.outputs()));
  workers_for(layer).each(sums.size(), [&](std::size_t unit) {
    base::stop_if_interrupted();
    sums[unit] = parameters.bias[unit] + dot(&parameters.weights[unit * values.size()], values.data(), values.size());
  });
  for (std::size_t unit = 0; unit < sums.size(); ++unit)
    store(result, unit, sums[unit], layer, layer.requantise(static_cast<int>(unit)), format);
}

// Stores a part of a convolution's outputs and keeps statistics of its own.
struct PartStore {
  const Layer& layer;
  const arith::QuantiserFormat& format;
  const std::vector<arith::Requantise>& requantise;
  Tensor& out;
  Part& part;

  void operator()(std::size_t first, std::size_t filter, const std::int64_t* sums, std::size_t positions) {
    const std::int64_t bias = layer.parameters().bias[filter];
    std::vector<std::int32_t> values(positions);
    Statistics& statistics = part.statistics;
    statistics.accumulator_overflows += quantise(sums, positions, bias, requantise[filter], format, values.data());
    for (std::size_t p = 0; p < positions; ++p)
      observe(sums[p] + bias, requantise[filter], format, layer.activation == Activation::relu, part.saturation);
    const int zero = out.format.zero_point, lowest = out.format.lowest(), highest = out.format.highest();
    for (std::size_t p = 0; p < positions; ++p)
      count_value(statistics, static_cast<double>(sums[p] + bias), values[p] - zero,
                  values[p] == lowest || values[p] == highest);
    if (out.format.bits <= 2)
      for (const int value : values) ++statistics.codes[static_cast<std::size_t>(value - lowest)];
    out.visit_integers([&, floor = layer.activation == Activation::relu ? zero : lowest](auto codes) {
      using Code = typename decltype(codes)::Value;
      for (std::size_t p = 0; p < positions; ++p) codes.set(first + p, static_cast<Code>(std::max(values[p], floor)));
    });
  }
};

void run_conv(const Layer& layer, const arith::QuantiserFormat& format, const Tensor& in, Result& result) {
  const auto taps = static_cast<std::size_t>(layer.fan_in());
  const std::vector<std::int8_t>& given = layer.parameters().weights;
  std::vector<arith::Requantise> requantise;
  for (int filter = 0; filter < layer.outputs(); ++filter) requantise.push_back(layer.requantise(filter));
  // The number of parts is a multiple of four and they have one size, so that no worker waits long for the last one.
  // Positions are summed by fours too.
  const auto plane = static_cast<std::size_t>(layer.out.height) * static_cast<std::size_t>(layer.out.width);
  const std::size_t fours = plane / part_positions(layer) / 4 + 1;
  const std::size_t block = (plane / fours / 4 + 4) / 4 * 4;
  std::vector<Part> parts((plane + block - 1) / block * static_cast<std::size_t>(layer.groups()));
  convolve_parts<std::int16_t, std::int64_t, WindowMajor>(
      layer, in,
      [&](std::size_t filter, std::size_t filters, const std::int16_t* windows, std::size_t positions,
          std::int64_t* sums) {
        const std::size_t length = WindowMajor::length(taps);
        base::Lines<std::int16_t> weights(filters * length, 0);
        for (std::size_t f = 0; f < filters; ++f) std::copy_n(&given[(filter + f) * taps], taps, &weights[f * length]);
        dot_windows(weights.data(), filters, windows, length, positions, sums);
      },
      [&](std::size_t part) {
        return PartStore{layer, format, requantise, result.out, parts[part]};
      },
      block, workers_for(layer));
  for (const Part& part : parts) {
    add(result.statistics, part.statistics);
    result.saturation += part.saturation;
  }
}

// Computes conv and fc.
void run_sums(const Layer& layer, const arith::QuantiserFormat& format, const Tensor& in,
              const arith::KernelSums* kernels, Result& result) {
  if (kernels != nullptr) {
    run_rounded(layer, format, in, *kernels, result);
  } else if (layer.parameters().float_sums) {
    run_float_sum(layer, in, result);
  } else if (layer.parameters().codec || layer.in_format.bits > 8) {
    run_coded(layer, format, in, result);
  } else if (layer.type() == LayerType::conv) {
    run_conv(layer, format, in, result);
  } else {
    run_fc(layer, format, in, result);
  }
}

void run_add(const Layer& layer, const Tensor& a, const Tensor& b, Result& result) {
  Tensor& out = result.out;
  const int zero = out.format.zero_point, highest = out.format.highest();
  const int floor = layer.activation == Activation::relu ? zero : out.format.lowest();
  const std::size_t values = out.size();
  const arith::Requantise to{1, 0, zero, out.format.is_unsigned(), out.format.bits};
  for (std::size_t i = 0; i < values; ++i) {
    const int sum = a.at(i) + b.at(i) - zero;
    observe_output(sum, to, layer.activation == Activation::relu, result.saturation);
    out.set(i, std::clamp(sum, floor, highest));
  }
  result.saturation.values += static_cast<std::int64_t>(values);
}

// Adds operands of two formats, each times its weight.
void run_weighed_add(const Layer& layer, const arith::QuantiserFormat& format, const Tensor& a, const Tensor& b,
                     Result& result) {
  const arith::Requantise q = layer.requantise(0);
  const auto [of_a, of_b] = layer.addition().weights;
  for (std::size_t i = 0; i < result.out.size(); ++i) {
    const std::int64_t first = a.at(i) - a.format.zero_point, second = b.at(i) - b.format.zero_point;
    store(result, i, of_a * first + of_b * second, layer, q, format);
  }
}

void run_relu(const Tensor& in, Tensor& out) {
  const std::size_t values = out.size();
  for (std::size_t i = 0; i < values; ++i) out.set(i, std::max(in.at(i), in.format.zero_point));
}

}  // namespace

void count(Result& result, std::int64_t sum, int value, const arith::Requantise& q,
           const arith::QuantiserFormat& format) {
  result.statistics.accumulator_overflows += leaves_accumulator(sum, format);
  const bool ends = value == -power_of_two(q.bits - 1) || value == power_of_two(q.bits - 1) - 1;
  count_value(result.statistics, static_cast<double>(sum), value, ends);
  observe(sum, q, format, false, result.saturation);
}

void store(Result& result, std::size_t at, std::int64_t sum, const Layer& layer, const arith::Requantise& q,
           const arith::QuantiserFormat& format) {
  result.statistics.accumulator_overflows += leaves_accumulator(sum, format);
  observe(sum, q, format, layer.activation == Activation::relu, result.saturation);
  put(result.out, result.statistics, at, quantised(sum, q, format), static_cast<double>(sum), layer);
}

void store(Result& result, std::size_t at, float sum, const Layer& layer) {
  constexpr float kBeyond = 1 << 20;  // beyond any type
  const float scaled = std::clamp(std::floor(sum * layer.parameters().float_sums->scale + 0.5f), -kBeyond, kBeyond);
  const NumberFormat& format = result.out.format;
  const int beyond = format.zero_point + static_cast<int>(scaled);
  const int value = std::clamp(beyond, format.lowest(), format.highest());
  const arith::Requantise to{1, 0, format.zero_point, format.is_unsigned(), format.bits};
  observe_output(beyond, to, layer.activation == Activation::relu, result.saturation);
  ++result.saturation.values;
  put(result.out, result.statistics, at, value, sum, layer);
}

double Statistics::informative() const {
  return values == 0 ? 1 : static_cast<double>(values - zeros - saturated) / static_cast<double>(values);
}

double Statistics::sum_rms() const { return values == 0 ? 0 : std::sqrt(sum_squares / static_cast<double>(values)); }

double Statistics::value_rms() const {
  return values == 0 ? 0 : std::sqrt(value_squares / static_cast<double>(values));
}

double Statistics::rarest(int bits) const {
  const auto last = codes.begin() + (1 << bits);
  return values == 0 ? 1 : static_cast<double>(*std::min_element(codes.begin(), last)) / static_cast<double>(values);
}

Result run_reference(const Layer& layer, const arith::QuantiserFormat& format, const Tensor& in, const Tensor* with,
                     const arith::KernelSums* kernels) {
  if (in.shape != layer.in || in.size() != static_cast<std::size_t>(layer.in.elements()) ||
      in.format.bits != layer.in_format.bits) {
    throw std::invalid_argument(layer.name + ": the input has another shape or width");
  }
  if (layer.single()) return {run_single(layer, in, with), {}, {}, {}};
  if (layer.floating()) return {run_floating(layer, in), {}, {}, {}};
  if (std::max(layer.in_format.bits, layer.out_format.bits) > 16) {
    throw std::invalid_argument(layer.name + ": the reference computes on codes of 1..16 bits");
  }
  if (layer.computes() && layer.parameters().weights.size() != static_cast<std::size_t>(layer.weight_bytes())) {
    throw std::invalid_argument(layer.name + ": loaded without values");
  }
  Result result;
  result.out = {layer.out, layer.out_format, {}};
  result.out.resize(static_cast<std::size_t>(layer.out.elements()));
  switch (layer.type()) {
    case LayerType::conv:
    case LayerType::fc:
      run_sums(layer, format, in, kernels, result);
      break;
    case LayerType::maxpool:
      run_maxpool(layer, in, result.out);
      break;
    case LayerType::avgpool:
      run_avgpool(layer, format, in, result);
      break;
    case LayerType::lstm:
      run_lstm(layer, format, in, result);
      break;
    case LayerType::gru:
      run_gru(layer, format, in, result);
      break;
    case LayerType::add:
      if (layer.weighs())
        run_weighed_add(layer, format, in, *with, result);
      else
        run_add(layer, in, *with, result);
      break;
    case LayerType::relu:
      run_relu(in, result.out);
      break;
    case LayerType::flatten:
      result.out.bytes = in.bytes;
      break;
    case LayerType::softmax:
      run_softmax(layer, in, result.out);
      break;
    case LayerType::function:
      run_function(layer, in, with, result.out);
      break;
    case LayerType::vision:
      run_vision(layer, in, *with, result.out);
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
