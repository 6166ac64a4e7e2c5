// SPDX-License-Identifier: Apache-2.0
#include "network/layer.h"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

namespace fansim::network {
namespace {

// Returns the product, or the largest number if it is larger.
std::int64_t product(const std::vector<std::int64_t>& dims) {
  std::int64_t count = 1;
  for (const std::int64_t extent : dims)
    if (__builtin_mul_overflow(count, extent, &count)) return std::numeric_limits<std::int64_t>::max();
  return count;
}

// Returns the value for an output from a list that holds one value, or one per output.
int pick(const std::vector<int>& values, int output) {
  return values[values.size() == 1 ? 0 : static_cast<std::size_t>(output)];
}

}  // namespace

bool same_step(double a, double b) {
  constexpr double kDigits = 1e-6;  // lost where a step is written down
  return a == 0 || b == 0 || std::abs(a - b) <= kDigits * b;
}

const char* type_name(LayerType type) {
  switch (type) {
    case LayerType::conv:
      return "conv";
    case LayerType::fc:
      return "fc";
    case LayerType::maxpool:
      return "maxpool";
    case LayerType::avgpool:
      return "avgpool";
    case LayerType::lstm:
      return "lstm";
    case LayerType::gru:
      return "gru";
    case LayerType::add:
      return "add";
    case LayerType::relu:
      return "relu";
    case LayerType::flatten:
      return "flatten";
    case LayerType::softmax:
      return "softmax";
    case LayerType::vision:
      return "vision";
    case LayerType::function:
      return "function";
  }
  return "";
}

void Parameters::scale_float_sums() {
  if (float_sums) float_sums->scale = std::ldexp(static_cast<float>(scales.scale[0]), -scales.shift[0]);
}

void Parameters::drop_values() {
  weights = {};
  bias = {};
}

LayerType Layer::type() const {
  struct {
    LayerType operator()(const Convolution&) const { return LayerType::conv; }
    LayerType operator()(const FullyConnected&) const { return LayerType::fc; }
    LayerType operator()(const Pooling& pooling) const {
      return pooling.average ? LayerType::avgpool : LayerType::maxpool;
    }
    LayerType operator()(const Recurrent& recurrent) const { return recurrent.gru ? LayerType::gru : LayerType::lstm; }
    LayerType operator()(const Addition&) const { return LayerType::add; }
    LayerType operator()(const Relu&) const { return LayerType::relu; }
    LayerType operator()(const Flatten&) const { return LayerType::flatten; }
    LayerType operator()(const Softmax&) const { return LayerType::softmax; }
    LayerType operator()(const FunctionStage&) const { return LayerType::function; }
    LayerType operator()(const openvx::Stage&) const { return LayerType::vision; }
  } type_of;
  return std::visit(type_of, operation);
}

const char* Layer::kind() const {
  if (const FunctionStage* stage = function()) return facts(stage->function).name;
  if (const openvx::Stage* stage = vision()) return openvx::facts(stage->function).name;
  return type_name(type());
}

bool Layer::joins() const { return function() && function()->function == Function::concat; }

bool Layer::reads_two() const {
  if (const FunctionStage* stage = function()) return facts(stage->function).two_inputs;
  if (const openvx::Stage* stage = vision()) return openvx::facts(stage->function).two_inputs;
  return type() == LayerType::add;
}

bool Layer::rescales() const {
  return type() == LayerType::softmax || weighs() || (function() && !facts(function()->function).moves);
}

bool Layer::keeps_step() const { return pools() || type() == LayerType::relu || type() == LayerType::flatten; }

bool Layer::weighs() const {
  const auto* addition = std::get_if<Addition>(&operation);
  return addition && addition->weights[0] > 0;
}

const Parameters& Layer::parameters() const {
  if (const Parameters* found = find_parameters()) return *found;
  throw std::logic_error(name + ": a layer of type " + kind() + " has no weights");
}
Parameters& Layer::parameters() { return const_cast<Parameters&>(std::as_const(*this).parameters()); }

const Scales& Layer::scales() const { return weighs() ? addition().scales : parameters().scales; }
Scales& Layer::scales() { return const_cast<Scales&>(std::as_const(*this).scales()); }

const Window& Layer::window() const {
  static const Window kOne;
  if (const auto* conv = std::get_if<Convolution>(&operation)) return conv->window;
  return pools() ? pooling().window : kOne;
}

int Layer::groups() const {
  const auto* conv = std::get_if<Convolution>(&operation);
  return conv ? conv->groups : 1;
}

void Layer::sum_in_floats(bool floats) {
  std::optional<FloatSums>& sums = parameters().float_sums;
  if (!floats) {
    sums.reset();
    return;
  }
  if (!sums) sums.emplace();
  sums->steps = window().area();
}

int Layer::outputs() const {
  if (const auto* conv = std::get_if<Convolution>(&operation)) return conv->filters;
  if (const auto* fc = std::get_if<FullyConnected>(&operation)) return fc->units;
  return recurs() ? (recurrent().gru ? 3 : 4) * recurrent().hidden : 0;
}

std::int64_t Layer::fan_in() const {
  switch (type()) {
    case LayerType::conv:
      return std::int64_t{in.channels / conv().groups} * window().area();
    case LayerType::fc:
      return in.elements();
    case LayerType::lstm:
    case LayerType::gru:
      return in.features + recurrent().hidden;
    default:
      return 0;
  }
}

std::int64_t Layer::macs() const {
  switch (type()) {
    case LayerType::conv:
    case LayerType::fc:
      return out.elements() * fan_in();
    case LayerType::lstm:
    case LayerType::gru:
      return std::int64_t{recurrent().steps} * outputs() * fan_in();
    case LayerType::vision:
      return vision()->weights.empty() ? 0 : out.elements() * vision()->kernel * vision()->kernel;
    default:
      return 0;
  }
}

std::vector<std::int64_t> Layer::weight_dims() const {
  if (type() != LayerType::conv) return {outputs(), fan_in()};
  const std::int64_t kernel = window().kernel;
  return {outputs(), in.channels / groups(), kernel, kernel};
}

std::int64_t Layer::weight_count() const { return computes() ? product(weight_dims()) : 0; }

std::int64_t Layer::weight_bytes() const {
  return computes() ? weight_count() * (parameters().weight_bits > 8 ? 2 : 1) : 0;
}

std::int64_t Layer::bias_count() const { return type() == LayerType::gru ? 6 * recurrent().hidden : outputs(); }

arith::Requantise Layer::requantise(int output) const {
  return {pick(scales().scale, output), pick(scales().shift, output), out_format.zero_point, out_format.is_unsigned(),
          out_format.bits};
}

}  // namespace fansim::network
