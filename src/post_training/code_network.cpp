// SPDX-License-Identifier: Apache-2.0
#include "post_training/code_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "base/interrupt.h"
#include "network/random_tensors.h"
#include "post_training/code_recurrent.h"
#include "post_training/code_sum.h"
#include "post_training/fit_machine.h"

namespace fansim::post_training {
namespace {

using network::Layer;

// Thrown with the reason why a layer cannot be coded.
struct Refused : std::runtime_error {
  Refused(const Layer& layer, const std::string& reason) : std::runtime_error(layer.name + ": " + reason) {}
};

// Codes the weights of one layer: all with one codec, or each output's with a codec of its own.
class LayerCoder {
 public:
  LayerCoder(const network::FloatWeights& floats, const Coder& coder, Layer& layer)
      : floats_(floats), coder_(coder), layer_(layer), parameters_(layer.parameters()) {
    const bool known =
        !floats.steps.empty() && coder.weight_bits == 8 && coder.method->name() == std::string_view("linear");
    if (known) {
      each_ = floats.weights.size() / floats.steps.size();
      for (const float step : floats.steps) codecs_.push_back(coder.method->restore(coder.weight_bits, {step}));
      return;
    }
    const std::size_t parts = coder.per_channel ? static_cast<std::size_t>(layer.outputs()) : 1;
    each_ = floats.weights.size() / parts;
    for (std::size_t part = 0; part < parts; ++part)
      codecs_.push_back(coder.method->fit(weights_of(part), coder.weight_bits));
  }

  void give_weights() {
    const bool two = coder_.weight_bits > 8;
    parameters_.weight_bits = coder_.weight_bits;
    layer_.sum_in_floats(!coder_.method->supports(arith::Grain::coarse));
    for (std::size_t i = 0; i < floats_.weights.size(); ++i) {
      const arith::WeightCodec& codec = *codecs_[i / each_];
      const unsigned code = codec.project(codec.prepare(floats_.weights[i]));
      parameters_.weights.push_back(static_cast<std::int8_t>(code));
      if (two) parameters_.weights.push_back(static_cast<std::int8_t>(code >> 8));
    }
    parameters_.codec = coder_.method->has_codebook() ? scaled_codebook() : codecs_[0];
    parameters_.weights_given = parameters_.bias_given = parameters_.scales.given = true;
  }

  // Sets biases and scales. The unit of a sum is the unit of a weight times the step of the input.
  void give_scales(const Activation& in, const Activation& out, double window_sum, const std::vector<double>& means) {
    for (std::size_t i = 0; i < floats_.bias.size(); ++i) {
      const std::size_t part = codecs_.size() == 1 ? 0 : i;
      const double added = coder_.corrects ? added_by_codes(i, part, means) : 0;
      const double exact = floats_.bias[i] + codecs_[part]->offset() * window_sum - added;
      const double sum = std::round(exact / (unit(part) * in.step));
      if (std::abs(sum) > kLargestBias)
        throw Refused(layer_, fmt::format("bias {} is {:.3g} steps of a sum, more than 2^30", floats_.bias[i], sum));
      parameters_.bias.push_back(static_cast<std::int64_t>(sum));
    }
    for (std::size_t part = 0; part < codecs_.size(); ++part) {
      const double ratio = unit(part) * in.step / out.step;
      if (ratio > 32767 || ratio < kLeastRatio)
        throw Refused(layer_, fmt::format("a scale of {:.3g} is out of what M / 2^n holds", ratio));
      const network::Ratio fixed = network::fixed_ratio(ratio);
      parameters_.scales.scale.push_back(fixed.scale);
      parameters_.scales.shift.push_back(fixed.shift);
    }
    parameters_.scale_float_sums();
  }

 private:
  static constexpr double kLargestBias = 1 << 30;
  static constexpr double kLeastRatio = 1.0 / (1 << 24);  // leaves 7 bits of M

  std::vector<float> weights_of(std::size_t part) const {
    const auto first = floats_.weights.begin() + static_cast<std::ptrdiff_t>(part * each_);
    return {first, first + static_cast<std::ptrdiff_t>(each_)};
  }

  // Returns what the difference between coded weights and floats adds to an output on average. `means` holds the
  // average of what the weights multiply, per channel or element.
  double added_by_codes(std::size_t output, std::size_t part, const std::vector<double>& means) const {
    const std::size_t fan_in = floats_.weights.size() / floats_.bias.size();
    const std::size_t channels =
        layer_.type() == network::LayerType::conv ? means.size() / layer_groups() : means.size();
    const std::size_t first =
        layer_.type() == network::LayerType::conv ? output / (floats_.bias.size() / layer_groups()) * channels : 0;
    const std::size_t taps = fan_in / channels;
    double added = 0;
    for (std::size_t i = 0; i < fan_in; ++i) {
      const std::size_t at = output * fan_in + i;
      const double coded = unit(part) * codecs_[part]->integer(parameters_.code(at)) + codecs_[part]->offset();
      added += (coded - static_cast<double>(floats_.weights[at])) * means[first + i / taps];
    }
    return added;
  }
  std::size_t layer_groups() const { return static_cast<std::size_t>(layer_.groups()); }

  // Scales a codebook of floats by a power of two, so that its largest value lies between 128 and 255. The scale is
  // large because a bias must be a whole number of a sum's units.
  std::shared_ptr<const arith::WeightCodec> scaled_codebook() {
    std::vector<float> codebook;
    float largest = 0;
    for (unsigned code = 0; code < codecs_[0]->codes(); ++code) {
      codebook.push_back(codecs_[0]->inverse(code));
      largest = std::max(largest, std::abs(codebook.back()));
    }
    const int up = largest > 0 ? 7 - std::ilogb(largest) : 0;
    codebook_unit_ = std::ldexp(1.0, -up);
    for (float& value : codebook) value = std::ldexp(value, up);
    return coder_.method->restore(coder_.weight_bits, codebook);
  }

  // Returns the float value of one unit of a weight: the method's step, or the least-squares factor between codes and
  // weights.
  double unit(std::size_t part) const {
    if (coder_.method->has_codebook()) return codebook_unit_;
    if (codecs_[part]->keeps_units()) return codecs_[part]->step();
    double along = 0, squares = 0;
    for (std::size_t i = part * each_; i < (part + 1) * each_; ++i) {
      const double integer = codecs_[part]->integer(parameters_.code(i));
      along += integer * floats_.weights[i];
      squares += integer * integer;
    }
    return along > 0 ? along / squares : 1;
  }

  const network::FloatWeights& floats_;
  const Coder& coder_;
  Layer& layer_;
  network::Parameters& parameters_;
  std::size_t each_ = 1;  // weights per codec
  std::vector<std::shared_ptr<const arith::WeightCodec>> codecs_;
  double codebook_unit_ = 1;
};

void check(const network::Network& network, const Coder& coder) {
  for (const Layer& layer : network.layers) {
    const std::string refusal = layer.recurs() ? recurrent_refusal(layer, coder) : "";
    if (!refusal.empty()) throw Refused(layer, refusal);
  }
}

// A layer with an upper limit needs codes that saturate at the limit. Codes that end within one step of the limit are
// as close as codes can be.
void limit(Layer& layer, const Activation& out) {
  if (layer.limit == 0) return;
  if (out.value(out.format.highest()) > layer.limit + out.step)
    throw Refused(layer,
                  fmt::format("its limit of {:.4g} is no end of its codes, which reach {:.4g}: others share them",
                              layer.limit, out.value(out.format.highest())));
  layer.limit = 0;
}

// Returns the bits of a sum that the machine scales.
int sum_bits(const Coder& coder) {
  return coder.machine ? std::min(coder.machine->operand_bits, coder.machine->accumulator_bits) : kAnySum;
}

// Makes an average whose sum the machine's operand cannot hold one that the host computes.
void hold_mean(const Coder& coder, const Activation& in, Layer& layer) {
  if (!coder.machine || layer.type() != network::LayerType::avgpool) return;
  const network::NumberFormat& f = in.format;
  const std::int64_t reach = std::max(f.highest() - f.zero_point, f.zero_point - f.lowest());
  if (layer.window().area() * reach < std::int64_t{1} << (coder.machine->operand_bits - 1)) return;
  network::FunctionStage mean;
  mean.function = network::Function::window_mean;
  const network::Window& window = layer.window();
  mean.kernel = {window.kernel, window.kernel};
  mean.stride = {window.stride, window.stride};
  mean.padding = window.padding;
  mean.ceil_mode = window.ceil_mode;
  mean.count_padding = true;
  layer.operation = std::move(mean);
}

network::Network coded(const network::FloatNetwork& floats, const std::vector<network::Tensor>& inputs,
                       const Calibration& calibration, const Coder& coder) {
  check(floats.network, coder);
  network::Network network = floats.network;
  network.name += fmt::format("_{}{}", coder.method->name(), coder.weight_bits);
  network.coding = {coder.method->name(), coder.weight_bits, coder.activation_bits, ""};
  network.input.format = calibration.of(Layer::kInput).format;
  std::optional<MachineFit> fit;
  if (coder.machine) fit.emplace(floats, inputs, calibration, coder);
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    base::stop_if_interrupted();
    Layer& layer = network.layers[i];
    const Activation &in = calibration.of(layer.source), &out = calibration.activations[i + 1];
    layer.in_format = in.format;
    layer.out_format = out.format;
    layer.in_step = in.step;
    layer.step = out.step;
    if (layer.reads_two()) layer.with_step = calibration.of(layer.with).step;
    limit(layer, out);
    if (layer.type() == network::LayerType::add &&
        !code_sum(in, calibration.of(layer.with), out, layer, sum_bits(coder)))
      throw Refused(layer, "a ReLU whose codes go below it, of maps in too different formats");
    hold_mean(coder, in, layer);
    if (layer.recurs()) {
      code_recurrent(floats.weights[i], coder, in, layer);
    } else if (layer.computes()) {
      LayerCoder layer_coder(floats.weights[i], coder, layer);
      layer_coder.give_weights();
      layer_coder.give_scales(in, out, calibration.window_sums[i], calibration.read_means[i]);
    }
    if (fit) fit->take(i, layer);
  }
  return network;
}

// `inputs` are those that a fit to a machine takes.
void code(const network::FloatNetwork& floats, const std::vector<network::Tensor>& inputs, const network::Tensor& input,
          Coded& result) {
  const Coder& coder = result.coder;
  const arith::Grain grain = coder.method->supports(arith::Grain::coarse) ? arith::Grain::coarse : arith::Grain::fine;
  result.refusal = arith::refusal(*coder.method, coder.weight_bits, coder.activation_bits, grain);
  if (result.refusal.empty() && coder.corrects && (grain == arith::Grain::fine || coder.method->has_codebook()))
    result.refusal = fmt::format("'{}' has no integers, whose biases could be corrected", coder.method->name());
  if (result.refusal.empty() && coder.per_channel && (grain == arith::Grain::fine || coder.method->has_codebook()))
    result.refusal = fmt::format("'{}' has one scale for a layer", coder.method->name());
  if (!result.refusal.empty()) return;
  try {
    result.network = coded(floats, inputs, result.calibration, coder);
    result.network->input = code_input(input, result.calibration.of(Layer::kInput));
  } catch (const Refused& refused) {
    result.refusal = refused.what();
  }
}

}  // namespace

namespace {

network::Tensor zeros(const network::Tensor& like) {
  network::Tensor tensor{like.shape, like.format, {}};
  tensor.resize(static_cast<std::size_t>(like.shape.elements()));
  return tensor;
}

}  // namespace

Coder usual_coder(const arith::QuantisationMethod& method) {
  struct Build {
    const char* method;
    int weight_bits, activation_bits;
  };
  constexpr Build kBuilds[] = {{"bnn", 1, 1}, {"mul2q", 2, 4}, {"vecq", 4, 8}, {"pot", 4, 8}, {"kmeans", 4, 8}};
  for (const Build& build : kBuilds)
    if (std::string_view(method.name()) == build.method) return {&method, build.weight_bits, build.activation_bits};
  return {&method, std::clamp(8, method.weight_bits().lo, method.weight_bits().hi), 8};
}

std::vector<Coded> code_networks(const network::FloatNetwork& network, const std::vector<network::Tensor>& inputs,
                                 const std::vector<Coder>& coders) {
  const Observations observations = observe(network, inputs);
  std::map<int, Calibration> calibrations;
  std::vector<Coded> all;
  std::string refusals;
  for (const Coder& coder : coders) {
    const auto [known, added] = calibrations.try_emplace(coder.activation_bits);
    if (added) known->second = calibrate(network, observations, coder.activation_bits, coder.fit);
    all.push_back({coder, known->second, std::nullopt, ""});
    std::vector<network::Tensor> some;
    if (coder.machine) {
      some = some_inputs(network, inputs);
      if (coder.method->linear()) spread_steps(network, some, observations.format_of, coder, all.back().calibration);
    }
    code(network, some, inputs.empty() ? zeros(network.network.input) : inputs[0], all.back());
    if (!all.back().network) refusals += fmt::format("\n{}: {}", coder.method->name(), all.back().refusal);
  }
  if (std::none_of(all.begin(), all.end(), [](const Coded& coded) { return coded.network.has_value(); }))
    throw base::UserError(base::Location{network.network.layers[0].where.file, 0, 0},
                          "no method can take this network" + refusals);
  return all;
}

}  // namespace fansim::post_training
