// SPDX-License-Identifier: Apache-2.0
#include "network/network.h"

#include <limits>

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

const char* Layer::kind() const {
  if (function) return facts(function->function).name;
  return vision ? openvx::facts(vision->function).name : type_name(type);
}

bool Layer::joins() const { return function && function->function == Function::concat; }

bool Layer::reads_two() const {
  return type == LayerType::add || (function && facts(function->function).two_inputs) ||
         (vision && openvx::facts(vision->function).two_inputs);
}

bool Layer::rescales() const {
  return type == LayerType::softmax || weighs() || (function && !facts(function->function).moves);
}

bool Layer::computes() const {
  return type == LayerType::conv || type == LayerType::fc || type == LayerType::lstm || type == LayerType::gru;
}

int Layer::outputs() const {
  switch (type) {
    case LayerType::conv:
      return filters;
    case LayerType::fc:
      return units;
    case LayerType::lstm:
      return 4 * hidden;
    case LayerType::gru:
      return 3 * hidden;
    default:
      return 0;
  }
}

std::int64_t Layer::fan_in() const {
  switch (type) {
    case LayerType::conv:
      return std::int64_t{in.channels / groups} * kernel * kernel;
    case LayerType::fc:
      return in.elements();
    case LayerType::lstm:
    case LayerType::gru:
      return in.features + hidden;
    default:
      return 0;
  }
}

std::int64_t Layer::macs() const {
  switch (type) {
    case LayerType::conv:
    case LayerType::fc:
      return out.elements() * fan_in();
    case LayerType::lstm:
    case LayerType::gru:
      return std::int64_t{steps} * outputs() * fan_in();
    case LayerType::vision:
      return vision->weights.empty() ? 0 : out.elements() * kernel * kernel;
    default:
      return 0;
  }
}

std::vector<std::int64_t> Layer::weight_dims() const {
  if (type == LayerType::conv) return {filters, in.channels / groups, kernel, kernel};
  return {outputs(), fan_in()};
}

std::int64_t Layer::weight_count() const { return computes() ? product(weight_dims()) : 0; }

std::int64_t Layer::weight_bytes() const { return weight_count() * (weight_bits > 8 ? 2 : 1); }

unsigned Layer::weight_code(std::size_t i) const {
  if (weight_bits <= 8) return static_cast<std::uint8_t>(weights[i]);
  return static_cast<unsigned>(static_cast<std::uint8_t>(weights[2 * i]) | static_cast<std::uint8_t>(weights[2 * i + 1])
                                                                               << 8);
}

int Layer::weight_integer(std::size_t i) const { return codec ? codec->integer(weight_code(i)) : weights[i]; }

float Layer::weight_operand(std::size_t i) const { return codec ? codec->operand(weight_code(i)) : weights[i]; }

std::int64_t Layer::bias_count() const { return type == LayerType::gru ? 6 * hidden : outputs(); }

arith::Requantise Layer::requantise(int output) const {
  return {pick(scale, output), pick(shift, output), out_format.zero_point, out_format.is_unsigned(), out_format.bits};
}

NumberFormat Network::computed_format() const {
  return NumberFormat::of(input.format.type == DataType::float32 ? DataType::float32 : DataType::int8);
}

const NumberFormat& Network::format(int producer) const {
  return producer == Layer::kInput ? input.format : layers[static_cast<std::size_t>(producer)].out_format;
}

const Shape& Network::shape(int producer) const {
  return producer == Layer::kInput ? input.shape : layers[static_cast<std::size_t>(producer)].out;
}

double Network::step(int producer) const {
  return producer == Layer::kInput ? input_step : layers[static_cast<std::size_t>(producer)].step;
}

void give_codes(Tensor& tensor, const std::vector<float>& values, double step) {
  tensor.resize(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) tensor.set(i, tensor.format.code_of(values[i], step));
}

void give_input(Network& network, const std::vector<float>& values) {
  give_codes(network.input, values, network.input_step);
  network.input_given = true;
}

}  // namespace fansim::network
