// SPDX-License-Identifier: Apache-2.0
#include "network/random_tensors.h"

#include <algorithm>
#include <cmath>

#include "base/interrupt.h"
#include "base/pages.h"
#include "base/random.h"
#include "base/workers.h"

namespace fansim::network {
namespace {

// The root mean squares at which derive() aims: sums that fit 16 bits with three standard deviations to spare, outputs
// that rarely saturate, and pre-activations (Q3.12) where sigmoid and tanh are curved.
constexpr double kSumRms = 5793;  // 2^12.5
constexpr double kOutputRms = 40;
constexpr double kPreActivationRms = 1.5 * 4096;
constexpr double kLstmHiddenRms = 32;  // found by experiment
constexpr double kGruHiddenRms = 64;

constexpr std::size_t kPerDraw = 4;  // values per draw, as in base::Random::fill

double hidden_rms(const Layer& layer) { return layer.type() == LayerType::gru ? kGruHiddenRms : kLstmHiddenRms; }

// Returns the root mean square of integers that are uniform in [-limit, limit].
double uniform_rms(double limit) { return std::sqrt(limit * (limit + 1) / 3); }

// Draws in parts of whole draws, so that the values are the same as in one piece. Parts are made just before they are
// filled, on every core, so that they are still in cache.
template <class Byte>
void draw(base::Random random, std::vector<Byte>& values, std::size_t count, int lo, int hi) {
  constexpr std::size_t kPart = std::size_t{1} << 20;
  const base::Workers workers(base::cores());
  const std::size_t at_once = kPart * static_cast<std::size_t>(workers.jobs());
  values.clear();
  base::reserve_pages(values, count);
  for (std::size_t from = 0; from < count; from += at_once) {
    base::stop_if_interrupted();
    values.resize(std::min(from + at_once, count));
    workers.each((values.size() - from + kPart - 1) / kPart, [&](std::size_t part) {
      const std::size_t first = from + part * kPart;
      base::Random own = random;
      own.skip(first / kPerDraw);
      own.fill(reinterpret_cast<std::int8_t*>(&values[first]), std::min(kPart, values.size() - first), lo, hi);
    });
  }
}

base::Random stream_of(const Layer& layer, std::uint64_t seed) { return {seed, layer.name + "/weights"}; }

// Returns the limit whose uniform integers have this root mean square.
int uniform_limit(double rms, int largest) {
  return std::clamp(static_cast<int>(std::lround(std::sqrt(3 * rms * rms + 0.25) - 0.5)), 1, largest);
}

// Returns the root mean square expected of a sum whose operands have weights.
double expected_of(const Addition& sum, double in_rms, double with_rms) {
  return std::ldexp(std::hypot(sum.weights[0] * in_rms, sum.weights[1] * with_rms) * sum.scales.scale[0],
                    -sum.scales.shift[0]);
}

// Returns the root mean square expected of a function whose codes stand for numbers.
double expected_of(const Layer& layer, double in_rms, double with_rms) {
  const FunctionStage& stage = *layer.function();
  if (facts(stage.function).unit) return 0.6 * (layer.out_format.highest() - layer.out_format.zero_point);
  switch (stage.function) {
    case Function::multiply:
      return in_rms * layer.in_step * with_rms * layer.with_step / layer.step;
    case Function::concat:
      return std::sqrt((in_rms * in_rms + with_rms * with_rms) / 2);
    case Function::sum:
    case Function::subtract:
      return std::hypot(in_rms, with_rms);
    case Function::stretch:
      return in_rms / std::sqrt(static_cast<double>(stage.factor[0]) * stage.factor[1]);
    case Function::window_max:
      return stage.kernel == RowsColumns{1, 1} ? in_rms : in_rms * 1.4;
    case Function::window_mean:
      return in_rms * 0.7 * layer.in_step / layer.step;
    case Function::leaky_relu:
    case Function::hard_swish:
      return in_rms * std::sqrt(0.5);
    default:
      return in_rms;
  }
}

}  // namespace

double expected_input_rms(const NumberFormat& input) {
  const double mean = (static_cast<double>(input.lowest()) + input.highest()) / 2 - input.zero_point;
  const double values = static_cast<double>(input.highest()) - input.lowest() + 1;
  return std::sqrt(mean * mean + values * values / 12);
}

double expected_output_rms(const Layer& layer, double in_rms, double with_rms) {
  const double relu = layer.activation == Activation::relu ? std::sqrt(0.5) : 1;
  switch (layer.type()) {
    case LayerType::conv:
    case LayerType::fc:
      return kOutputRms * relu;
    case LayerType::maxpool:
      return layer.window().kernel == 1 ? in_rms : in_rms * 1.4;
    case LayerType::avgpool:
      return layer.window().kernel == 1 ? in_rms : in_rms * 0.7;
    case LayerType::lstm:
    case LayerType::gru:
      return hidden_rms(layer);
    case LayerType::add:
      if (layer.weighs()) return expected_of(layer.addition(), in_rms, with_rms) * relu;
      return std::hypot(in_rms, with_rms) * relu;
    case LayerType::relu:
      return in_rms * std::sqrt(0.5);
    case LayerType::flatten:
    case LayerType::softmax:
    case LayerType::vision:
      return in_rms;
    case LayerType::function:
      return expected_of(layer, in_rms, with_rms);
  }
  return in_rms;
}

Ratio fixed_ratio(double ratio) {
  Ratio fixed;
  while (fixed.shift < 31 && std::lround(std::ldexp(ratio, fixed.shift + 1)) <= 32767) ++fixed.shift;
  fixed.scale = static_cast<int>(std::clamp(std::lround(std::ldexp(ratio, fixed.shift)), 1L, 32767L));
  return fixed;
}

Derived derive(const Layer& layer, double in_rms, double weight_rms) {
  Derived derived;
  double energy = static_cast<double>(layer.fan_in()) * in_rms * in_rms;
  if (layer.recurs())
    energy = layer.in.features * in_rms * in_rms + layer.recurrent().hidden * hidden_rms(layer) * hidden_rms(layer);
  derived.weight_limit = uniform_limit(kSumRms / std::sqrt(energy), 127);
  if (weight_rms == 0) weight_rms = uniform_rms(derived.weight_limit);
  const double products_rms = std::max(1.0, weight_rms * std::sqrt(energy));
  derived.bias_limit = static_cast<int>(std::lround(products_rms / 2));

  const double sum_rms = std::hypot(products_rms, uniform_rms(derived.bias_limit));
  const double ratio = (layer.recurs() ? kPreActivationRms : kOutputRms) / sum_rms;
  const Ratio fixed = fixed_ratio(ratio);
  derived.scale = fixed.scale;
  derived.shift = fixed.shift;
  return derived;
}

void fill_random_input(Tensor& input, std::uint64_t seed) {
  input.resize(static_cast<std::size_t>(input.shape.elements()));
  if (input.format.bits != 8) {
    base::Random random(seed, "input");
    const int lowest = input.format.lowest(), highest = input.format.highest();
    for (std::size_t i = 0; i < input.size(); ++i) input.set(i, random.uniform(lowest, highest));
    return;
  }
  // Any byte is a value of either type.
  draw({seed, "input"}, input.bytes, input.bytes.size(), -128, 127);
}

void fill_random_weights(Layer& layer, int limit, std::uint64_t seed) {
  draw(stream_of(layer, seed), layer.parameters().weights, static_cast<std::size_t>(layer.weight_count()), -limit,
       limit);
}

std::vector<std::int8_t> later_weights(const Layer& layer) {
  std::vector<std::int8_t> weights;
  const auto [seed, limit] = *layer.parameters().later;
  draw(stream_of(layer, seed), weights, static_cast<std::size_t>(layer.weight_count()), -limit, limit);
  return weights;
}

void later_weights(const Layer& layer, std::int64_t first, std::int64_t count, std::vector<std::int8_t>& weights) {
  const auto [seed, limit] = *layer.parameters().later;
  const auto begin = static_cast<std::size_t>(first), over = begin % kPerDraw;  // values to skip of the first draw
  base::Random random = stream_of(layer, seed);
  random.skip(begin / kPerDraw);
  weights.resize(over + static_cast<std::size_t>(count));
  random.fill(weights.data(), weights.size(), -limit, limit);
  weights.erase(weights.begin(), weights.begin() + static_cast<std::ptrdiff_t>(over));
}

void fill_random_bias(Layer& layer, int limit, std::uint64_t seed) {
  std::vector<std::int64_t>& bias = layer.parameters().bias;
  bias.resize(static_cast<std::size_t>(layer.bias_count()));
  base::Random random(seed, layer.name + "/bias");
  for (std::int64_t& value : bias) value = random.uniform(-limit, limit);
}

}  // namespace fansim::network
