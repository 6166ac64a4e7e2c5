// SPDX-License-Identifier: Apache-2.0
#include "network/float/in_single.h"

#include <fmt/format.h>

#include <cmath>

#include "base/interrupt.h"
#include "base/npy.h"
#include "base/random.h"

namespace fansim::network {
namespace {

double known(double step) { return step > 0 ? step : 1; }

// Draws a uniform number of [-limit, limit].
float drawn(base::Random& random, double limit) {
  constexpr int kParts = 1 << 20;
  return static_cast<float>(limit * random.uniform(-kParts, kParts) / kParts);
}

// Returns the factor from the layer's sum of codes to the number that the layer makes of it.
double scale_of(const Layer& layer, int output) {
  const arith::Requantise q = layer.requantise(output);
  return std::ldexp(q.scale, -q.shift) * known(layer.step);
}

// Returns given or drawn weights. The variance of drawn weights keeps that of the values after ReLU, which halves it
// (He et al. 2015).
std::shared_ptr<const SingleStage> drawn_or_given(const Layer& layer, std::uint64_t seed) {
  auto stage = std::make_shared<SingleStage>();
  const Parameters& parameters = layer.parameters();
  base::Random weights(seed, layer.name + "/weights"), biases(seed, layer.name + "/bias");
  const double limit = std::sqrt(6 / static_cast<double>(layer.fan_in()));
  std::size_t at = 0;
  for (int output = 0; output < layer.outputs(); ++output) {
    base::stop_if_interrupted();
    const auto at_output = static_cast<std::size_t>(output);
    const double scale = scale_of(layer, output), of_weights = scale / known(layer.in_step);
    for (std::int64_t i = 0; i < layer.fan_in(); ++i, ++at)
      stage->weights.push_back(parameters.weights_given ? static_cast<float>(parameters.integer(at) * of_weights)
                                                        : drawn(weights, limit));
    stage->bias.push_back(parameters.bias_given
                              ? static_cast<float>(static_cast<double>(parameters.bias[at_output]) * scale)
                              : drawn(biases, 1));
  }
  return stage;
}

// Reads the input's floats themselves, not the codes to which they were read before.
void give_floats(Tensor& input, const std::string& path) {
  const std::vector<float> values = base::read_npy<float>(path, input.shape.dims());
  base::require_finite(path, values);
  for (std::size_t i = 0; i < values.size(); ++i) input.set_real(i, values[i]);
}

}  // namespace

Tensor in_single(const Tensor& codes, double step) {
  Tensor numbers{codes.shape, NumberFormat::of(DataType::float32), {}};
  numbers.resize(codes.size());
  for (std::size_t i = 0; i < codes.size(); ++i)
    numbers.set_real(i, static_cast<float>((codes.at(i) - codes.format.zero_point) * known(step)));
  return numbers;
}

void in_single(Network& network, const LoadOptions& options) {
  for (const Layer& layer : network.layers)
    if (layer.recurs())
      throw base::UserError(layer.where,
                            fmt::format("{}: float32 computes conv and fc, pooling, relu, add, flatten and "
                                        "functions; not {}",
                                        layer.name, layer.kind()));
  const NumberFormat format = NumberFormat::of(DataType::float32);
  network.input = in_single(network.input, network.input_step);
  if (options.values && !options.input.empty() && base::holds_floats(options.input))
    give_floats(network.input, options.input);
  network.input_step = 1;
  for (Layer& layer : network.layers) {
    layer.in_format = layer.out_format = format;
    auto stage = layer.computes() && options.values ? drawn_or_given(layer, options.seed)
                                                    : std::make_shared<const SingleStage>();
    if (layer.computes()) layer.parameters().drop_values();
    layer.arithmetic = std::move(stage);
    layer.step = layer.in_step = layer.with_step = 1;
    if (!layer.function()) continue;
    for (double& slope : layer.function()->slopes) slope = static_cast<float>(slope);
  }
}

}  // namespace fansim::network
