// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "base/interrupt.h"
#include "network/float/float_layers.h"
#include "network/float/float_network.h"
#include "network/reference/windows.h"

namespace fansim::network {
namespace {

// Computes in double precision, so that the order of a sum does not show in 32 bits.
double dot(const float* weights, const float* values, std::size_t count) {
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += double{weights[i]} * values[i];
  return sum;
}

float activated(const Layer& layer, double value) {
  if (layer.activation == Activation::relu) value = std::max(value, 0.0);
  return static_cast<float>(layer.limit > 0 ? std::min(value, layer.limit) : value);
}

void run_fc(const Layer& layer, const FloatWeights& w, const Tensor& in, Tensor& out) {
  const auto values = centred<float>(in);
  for (std::size_t unit = 0; unit < w.bias.size(); ++unit) {
    base::stop_if_interrupted();
    out.set_real(unit,
                 activated(layer, dot(&w.weights[unit * values.size()], values.data(), values.size()) + w.bias[unit]));
  }
}

void run_conv(const Layer& layer, const FloatWeights& w, const Tensor& in, Tensor& out) {
  const auto taps = static_cast<std::size_t>(layer.fan_in());
  convolve<float, double>(
      layer, in,
      [&](std::size_t filter, const float* columns, std::size_t positions, double* sums) {
        std::fill(sums, sums + positions, double{w.bias[filter]});
        for (std::size_t tap = 0; tap < taps; ++tap) {
          const double weight = w.weights[filter * taps + tap];
          for (std::size_t p = 0; p < positions; ++p) sums[p] += weight * columns[tap * positions + p];
        }
      },
      [&](std::size_t at, std::size_t, double sum) { out.set_real(at, activated(layer, sum)); });
}

// Calls pool(cell, pooled) for every cell of every window.
template <class Pool>
void slide(const Layer& layer, const Bordered<float>& map, Tensor& out, double first, Pool pool, double factor) {
  const int kernel = layer.window().kernel;
  std::size_t to = 0;
  for (int c = 0; c < layer.out.channels; ++c) {
    base::stop_if_interrupted();
    for (int row = 0; row < layer.out.height; ++row) {
      for (int column = 0; column < layer.out.width; ++column, ++to) {
        const float* window = map.window(c, row, column);
        double pooled = first;
        for (int kr = 0; kr < kernel; ++kr)
          for (int kc = 0; kc < kernel; ++kc) pooled = pool(window[kr * map.width() + kc], pooled);
        out.set_real(to, static_cast<float>(pooled * factor));
      }
    }
  }
}

void run_maxpool(const Layer& layer, const Tensor& in, Tensor& out) {
  constexpr float kLeast = std::numeric_limits<float>::lowest();  // cells outside the map never win
  slide(
      layer, Bordered<float>(layer, in, kLeast), out, kLeast,
      [](double cell, double largest) { return std::max(cell, largest); }, 1);
}

// The divisor counts the padding, as in the integer executor (docs/networks.md).
void run_avgpool(const Layer& layer, const Tensor& in, Tensor& out) {
  slide(
      layer, Bordered<float>(layer, in), out, 0, [](double cell, double sum) { return sum + cell; },
      1.0 / layer.window().area());
}

void run_function(const Layer& layer, const Tensor& in, const Tensor* with, Tensor& out) {
  const auto reals = [](const Tensor& tensor) {
    const auto values = tensor.view<float>();
    std::vector<double> all(values.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = values[i];
    return all;
  };
  const std::vector<double> found =
      apply(*layer.function(), layer.in, reals(in), layer.reads_two() ? reals(*with) : std::vector<double>{});
  for (std::size_t i = 0; i < found.size(); ++i) out.set_real(i, static_cast<float>(found[i]));
}

}  // namespace

Tensor run_float(const Layer& layer, const FloatWeights& weights, const Tensor& in, const Tensor* with) {
  if (in.shape != layer.in) throw std::invalid_argument(layer.name + ": the input has another shape");
  Tensor out{layer.out, NumberFormat::of(DataType::float32), {}};
  out.resize(static_cast<std::size_t>(layer.out.elements()));
  switch (layer.type()) {
    case LayerType::conv:
      run_conv(layer, weights, in, out);
      break;
    case LayerType::fc:
      run_fc(layer, weights, in, out);
      break;
    case LayerType::maxpool:
      run_maxpool(layer, in, out);
      break;
    case LayerType::avgpool:
      run_avgpool(layer, in, out);
      break;
    case LayerType::lstm:
      run_float_lstm(layer, weights, in, out);
      break;
    case LayerType::gru:
      run_float_gru(layer, weights, in, out);
      break;
    case LayerType::add:
      for (std::size_t i = 0; i < out.size(); ++i)
        out.set_real(i, activated(layer, double{in.real(i)} + with->real(i)));
      break;
    case LayerType::relu:
      for (std::size_t i = 0; i < out.size(); ++i) out.set_real(i, std::max(in.real(i), 0.0f));
      break;
    case LayerType::flatten:
      out.bytes = in.bytes;
      break;
    case LayerType::softmax: {
      double largest = in.real(0), sum = 0;
      for (std::size_t i = 0; i < in.size(); ++i) largest = std::max<double>(largest, in.real(i));
      for (std::size_t i = 0; i < in.size(); ++i) sum += std::exp(in.real(i) - largest);
      for (std::size_t i = 0; i < in.size(); ++i)
        out.set_real(i, static_cast<float>(std::exp(in.real(i) - largest) / sum));
      break;
    }
    case LayerType::function:
      run_function(layer, in, with, out);
      break;
    case LayerType::vision:
      throw std::logic_error("network: a stage of a pipeline among layers of floats");
  }
  return out;
}

std::vector<Tensor> run_float(const FloatNetwork& network, const Tensor& input) {
  std::vector<Tensor> outputs;
  const auto produced = [&](int index) -> const Tensor& {
    return index == Layer::kInput ? input : outputs[static_cast<std::size_t>(index)];
  };
  for (const Layer& layer : network.network.layers) {
    outputs.push_back(run_float(layer, network.weights[outputs.size()], produced(layer.source), &produced(layer.with)));
  }
  return outputs;
}

}  // namespace fansim::network
