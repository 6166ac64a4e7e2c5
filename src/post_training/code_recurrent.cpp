// SPDX-License-Identifier: Apache-2.0
#include "post_training/code_recurrent.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <string_view>

#include "base/error.h"
#include "network/random_tensors.h"

namespace fansim::post_training {
namespace {

constexpr double kHiddenStep = 1.0 / 128;  // Q0.7
constexpr double kSumStep = 1.0 / 4096;    // Q3.12
constexpr double kLargestBias = 1 << 30;
constexpr double kLeastRatio = 1.0 / (1 << 24);  // leaves 7 bits of M
constexpr double kCurved = 4;                    // beyond it sigmoid and tanh are within 2 % of their ends

// Returns the codec of the weights. A machine's operand must hold pre-activations as far as the functions are curved.
std::unique_ptr<arith::WeightCodec> codec_of(const std::vector<float>& weights, const Coder& coder) {
  auto codec = coder.method->fit(weights, 8);
  if (!coder.machine) return codec;
  const double least = kCurved / kHiddenStep / std::ldexp(1.0, coder.machine->operand_bits - 1);
  if (static_cast<double>(codec->step()) >= least) return codec;
  return coder.method->restore(8, {static_cast<float>(least)});
}

}  // namespace

Activation hidden_state() { return {network::NumberFormat::codes(8), kHiddenStep}; }

std::string recurrent_refusal(const network::Layer& layer, const Coder& coder) {
  if (coder.method->name() != std::string_view("linear"))
    return fmt::format("'{}' quantises conv and fc, pooling, relu, add and flatten; not {}", coder.method->name(),
                       layer.kind());
  if (coder.weight_bits == 8 && coder.activation_bits == 8) return "";
  return fmt::format("{} is of int8; weights of {} bits and activations of {} are not", layer.kind(), coder.weight_bits,
                     coder.activation_bits);
}

// A sum has one scale for all its products, so the weights of x absorb the ratio of the step of x to the step of h.
void code_recurrent(const network::FloatWeights& floats, const Coder& coder, const Activation& in,
                    network::Layer& layer) {
  const auto features = static_cast<std::size_t>(layer.in.features), row = static_cast<std::size_t>(layer.fan_in());
  std::vector<float> weights = floats.weights;
  for (std::size_t i = 0; i < weights.size(); ++i)
    if (i % row < features) weights[i] = static_cast<float>(static_cast<double>(weights[i]) * in.step / kHiddenStep);
  const auto codec = codec_of(weights, coder);
  network::Parameters& parameters = layer.parameters();
  for (const float weight : weights)
    parameters.weights.push_back(static_cast<std::int8_t>(codec->integer(codec->project(codec->prepare(weight)))));
  const double unit = static_cast<double>(codec->step()) * kHiddenStep, ratio = unit / kSumStep;
  for (const float bias : floats.bias) {
    const double sum = std::round(static_cast<double>(bias) / unit);
    if (std::abs(sum) > kLargestBias)
      throw base::UserError(layer.where, fmt::format("bias {} is {:.3g} steps of a sum, more than 2^30", bias, sum));
    parameters.bias.push_back(static_cast<std::int64_t>(sum));
  }
  if (ratio > 32767 || ratio < kLeastRatio)
    throw base::UserError(layer.where, fmt::format("a scale of {:.3g} is out of what M / 2^n holds", ratio));
  const network::Ratio fixed = network::fixed_ratio(ratio);
  parameters.scales = {{fixed.scale}, {fixed.shift}, true};
  parameters.weights_given = parameters.bias_given = true;
}

}  // namespace fansim::post_training
