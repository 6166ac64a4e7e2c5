// SPDX-License-Identifier: Apache-2.0
#include "network/codes/quantise.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/interrupt.h"
#include "base/random.h"
#include "network/codes/code_weights.h"
#include "network/codes/spread.h"
#include "network/random_tensors.h"

namespace fansim::network {
namespace {

// Returns an 8-bit value as one of `bits` bits.
int resized(int value, int bits) { return bits >= 8 ? value * (1 << (bits - 8)) : value >> (8 - bits); }

// Returns an 8-bit format with `bits` bits. With one bit its codes are 0 and 1.
NumberFormat resized(const NumberFormat& format, int bits) {
  if (bits == 1) return NumberFormat::codes(1, true);
  return NumberFormat::codes(bits, format.is_unsigned(), resized(format.zero_point, bits));
}

class Quantiser {
 public:
  Quantiser(Network& network, const Quantisation& quantisation, const LoadOptions& options)
      : network_(network), quantisation_(quantisation), options_(options), bits_(quantisation.activation_bits) {}

  void check() const {
    const std::string reason =
        arith::refusal(*quantisation_.method, quantisation_.weight_bits, bits_, quantisation_.grain);
    if (!reason.empty()) throw base::UserError(reason);
    if (network_.coding) check(*network_.coding);
    for (const Layer& layer : network_.layers) check(layer);
  }

  void run() {
    if (network_.coding) {
      for (Layer& layer : network_.layers) adopt(layer);
      return;
    }
    resize_input();
    for (Layer& layer : network_.layers) resize_types(layer);
    if (!options_.values) return;
    spreads_.push_back(network_.input_given ? Spread::counted(network_.input) : Spread::uniform(network_.input.format));
    const std::vector<bool> wanted = options_.wanted ? options_.wanted(network_) : std::vector<bool>();
    for (Layer& layer : network_.layers) {
      base::stop_if_interrupted();
      const Spread in = spread(layer.source);
      spreads_.push_back(Spread::output(layer, rounding(), target_rms(layer), in, spread(layer.with)));
      const bool is_wanted = wanted.empty() || wanted[spreads_.size() - 2];
      if (layer.computes() && is_wanted) give_values(layer, in.bordered(layer));
    }
  }

 private:
  const Spread& spread(int producer) const { return spreads_[static_cast<std::size_t>(producer + 1)]; }

  void check(const Coding& coding) const {
    const arith::QuantisationMethods methods;
    const bool same_codes = coding.method == quantisation_.method->name() ||
                            (quantisation_.method->linear() && methods.find(coding.method)->linear() &&
                             coding.weight_bits > 1);  // both are two's complement, whatever the method
    if (same_codes && coding.weight_bits == quantisation_.weight_bits && coding.activation_bits == bits_) return;
    throw base::UserError(
        base::Location{network_.layers[0].where.file, 0, 0},
        fmt::format("quantised by '{}' to weight_bits {}, activation_bits {}; the accelerator's quantisation is '{}' "
                    "with {}, {}: set its method, weight_bits and activation_bits to the network's",
                    coding.method, coding.weight_bits, coding.activation_bits, quantisation_.method->name(),
                    quantisation_.weight_bits, bits_));
  }

  void check(const Layer& layer) const {
    if (layer.recurs()) {
      throw base::UserError(
          layer.where, fmt::format("{}: '{}' quantises conv and fc, pooling, relu, add and flatten; not {}", layer.name,
                                   quantisation_.method->name(), type_name(layer.type())));
    }
    if (quantisation_.grain != arith::Grain::fine || !layer.computes()) return;
    const Parameters& parameters = layer.parameters();
    if (std::max(parameters.scales.scale.size(), parameters.scales.shift.size()) > 1) {
      throw base::UserError(
          layer.where, fmt::format("{}: quant has a scale or shift per output, float sums of '{}' take one", layer.name,
                                   quantisation_.method->name()));
    }
  }

  // Returns the rounding. Float sums are rounded half up.
  arith::Rounding rounding() const {
    return quantisation_.grain == arith::Grain::fine ? arith::Rounding::half_up : quantisation_.format.rounding;
  }

  void resize_input() {
    Tensor& input = network_.input;
    const Tensor given = input;
    input.format = resized(given.format, bits_);
    network_.input_step = std::ldexp(network_.input_step, 8 - bits_);
    if (!options_.values || bits_ == 8) return;
    if (!network_.input_given) {
      fill_random_input(input, options_.seed);
      return;
    }
    input = in_format(given, input.format);
  }

  // Keeps the codes. The machine determines how they are summed.
  void adopt(Layer& layer) const {
    declare_sums(layer);
    if (layer.computes()) layer.parameters().scale_float_sums();
  }

  void declare_sums(Layer& layer) const {
    if (!layer.computes()) return;
    layer.sum_in_floats(quantisation_.grain == arith::Grain::fine);
  }

  void resize_types(Layer& layer) const {
    layer.in_format = resized(layer.in_format, bits_);
    layer.out_format = resized(layer.out_format, bits_);
    for (double* step : {&layer.step, &layer.in_step, &layer.with_step}) *step = std::ldexp(*step, 8 - bits_);
    declare_sums(layer);
    if (!layer.computes()) return;
    Parameters& parameters = layer.parameters();
    parameters.weight_bits = quantisation_.weight_bits;
    // The bound holds without values too, so that both kinds of run refuse the same networks. Given weights that stay
    // as they are have been looked at already.
    if (!keeps_weights(layer, quantisation_))
      parameters.lowest_weight = quantisation_.method->lowest_integer(parameters.weight_bits);
  }

  void give_values(Layer& layer, const Spread& in) const {
    Parameters& parameters = layer.parameters();
    const CodedWeights coded = code_weights(layer, quantisation_, options_.seed);
    // The spread about each output's own mean: a random bias removes that mean, a given bias does not.
    const double in_rms = parameters.bias_given ? std::hypot(in.sigma(), in.mean()) : in.sigma();
    const double products_rms = std::max(1.0, coded.rms * in_rms * std::sqrt(static_cast<double>(layer.fan_in())));
    double bias_rms = 0;
    if (parameters.bias_given) {
      stretch_bias(layer, coded.unit);
    } else {
      const int limit = limited(products_rms / 2);
      bias_rms = limit / std::sqrt(3.0);
      fill_random_bias(layer, limit, options_.seed);
      for (std::size_t i = 0; i < parameters.bias.size(); ++i)
        parameters.bias[i] = limited(static_cast<double>(parameters.bias[i]) - in.mean() * coded.sums[i]);
    }
    if (parameters.scales.given) {
      stretch_scale(layer, coded.unit);
    } else {
      give_scale(parameters, {target_rms(layer) / std::hypot(products_rms, bias_rms)});
    }
  }

  static std::int32_t limited(double bias) {
    constexpr double kLargest = 1 << 30;
    return static_cast<std::int32_t>(std::lround(std::clamp(bias, -kLargest, kLargest)));
  }

  // Scales a bias that the network gives, which is in units of products of int8 steps.
  void stretch_bias(Layer& layer, double unit) const {
    const double factor = std::ldexp(1 / unit, bits_ - 8);
    constexpr double kLargest = std::int64_t{1} << 60;
    for (std::int64_t& value : layer.parameters().bias)
      value = std::llround(std::clamp(static_cast<double>(value) * factor, -kLargest, kLargest));
  }

  // Scales the scale and shift that the network gives, for sums in other units.
  void stretch_scale(Layer& layer, double unit) const {
    if (unit == 1 && !layer.parameters().float_sums) return;
    std::vector<double> ratios;
    const Scales& scales = layer.scales();
    for (std::size_t i = 0; i < std::max(scales.scale.size(), scales.shift.size()); ++i) {
      const arith::Requantise given = layer.requantise(static_cast<int>(i));
      ratios.push_back(std::ldexp(given.scale * unit, -given.shift));
    }
    give_scale(layer.parameters(), ratios);
  }

  static void give_scale(Parameters& parameters, const std::vector<double>& ratios) {
    parameters.scales.scale.clear();
    parameters.scales.shift.clear();
    for (const double ratio : ratios) {
      const Ratio fixed = fixed_ratio(ratio);
      parameters.scales.scale.push_back(fixed.scale);
      parameters.scales.shift.push_back(fixed.shift);
    }
    if (parameters.float_sums) parameters.float_sums->scale = static_cast<float>(ratios.front());
  }

  Network& network_;
  const Quantisation& quantisation_;
  const LoadOptions& options_;
  const int bits_;
  std::vector<Spread> spreads_;  // the input's, then that of each layer's output
};

}  // namespace

Tensor in_format(const Tensor& given, const NumberFormat& format) {
  Tensor tensor{given.shape, format, given.bytes};
  if (format.bits == given.format.bits) return tensor;
  tensor.resize(given.size());
  // A signed bit, -1 or 0, becomes 0 or 1.
  const int sign = format.is_unsigned() == given.format.is_unsigned() ? 0 : 1;
  for (std::size_t i = 0; i < given.size(); ++i) tensor.set(i, resized(given.at(i), format.bits) + sign);
  return tensor;
}

void quantise(Network& network, const Quantisation& quantisation, const LoadOptions& options) {
  Quantiser quantiser(network, quantisation, options);
  quantiser.check();
  quantiser.run();
}

void quantise_linear(Network& network, int weight_bits, int activation_bits, const arith::QuantiserFormat& format,
                     const LoadOptions& options) {
  const arith::QuantisationMethods methods;
  quantise(network, {methods.find("dorefa"), weight_bits, activation_bits, arith::Grain::coarse, format}, options);
}

void require_int8(const Network& network) {
  if (!network.coding) return;
  for (const Layer& layer : network.layers)
    if ((layer.computes() && layer.parameters().codec) || layer.in_format.bits != 8)
      throw base::UserError(layer.where, fmt::format("{}: this accelerator computes int8, not codes of '{}' with "
                                                     "weight_bits {}, activation_bits {}",
                                                     layer.name, network.coding->method, network.coding->weight_bits,
                                                     network.coding->activation_bits));
}

}  // namespace fansim::network
