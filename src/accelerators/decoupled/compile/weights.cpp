// SPDX-License-Identifier: Apache-2.0
#include "accelerators/decoupled/compile/weights.h"

#include <fmt/format.h>

#include "accelerators/decoupled/config/arithmetic.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "network/reference/reference.h"

namespace fansim::decoupled {
namespace {

constexpr int kBiasBits = 40;

// A record holds the bias modulo 2^40, which is enough for accumulators that are no wider.
std::int64_t folded_bias(const network::Layer& layer, int output, int accumulator_bits) {
  const network::Parameters& parameters = layer.parameters();
  std::int64_t bias = parameters.bias[static_cast<std::size_t>(output)];
  const std::int64_t fan_in = layer.in_format.zero_point == 0 ? 0 : layer.fan_in();
  for (std::int64_t i = 0; i < fan_in; ++i)
    bias -=
        std::int64_t{layer.in_format.zero_point} * parameters.integer(static_cast<std::size_t>(output * fan_in + i));
  if (accumulator_bits > kBiasBits && arith::wrap(bias, kBiasBits) != bias)
    throw base::UserError(
        fmt::format("{}: output {}'s bias less its weights' share of zero point {} is {}: beyond {} bits", layer.name,
                    output, layer.in_format.zero_point, bias, kBiasBits));
  return arith::wrap(bias, kBiasBits);
}

std::int32_t weight_word(const network::Layer& layer, std::size_t at) {
  return layer.single() ? bits_of(layer.single()->weights[at]) : layer.parameters().integer(at);
}

// Finds the layer's weight for an output channel and a place of the kernel; -1: there is none, and it counts as 0.
class Source {
 public:
  Source(const network::Layer& layer, const Work& work) : layer_(layer), work_(work) {}

  std::int64_t at(int output, int input, int place) const {
    if (layer_.type() == network::LayerType::conv)
      return (std::int64_t{output} * work_.inputs + input) * work_.kernel_positions() + place;
    // The inputs are those of a flattened map, whose blocks end with unused channels.
    const int vector = input / work_.in.block;
    const int channel = vector / work_.positions * work_.in.block + input % work_.in.block;
    if (std::int64_t{channel} * work_.positions >= layer_.fan_in()) return -1;
    return output * layer_.fan_in() + std::int64_t{channel} * work_.positions + vector % work_.positions;
  }

 private:
  const network::Layer& layer_;
  const Work& work_;
};

}  // namespace

std::int64_t weight_image_bytes(const Work& work, const Config& config) {
  return std::int64_t{work.groups} * work.output_blocks(work.outputs, config) * work.input_blocks(work.inputs, config) *
         work.kernel_positions() * config.array.tm * config.array.tn * config.data.bytes();
}

void write_weights(const network::Layer& layer, const Work& work, const TileSize& tile, const Config& config,
                   std::uint8_t* image) {
  const Source source(layer, work);
  const int tm = config.array.tm, tn = config.array.tn, bytes = config.data.bytes(), places = work.kernel_positions();
  // All tiles but the last ones consist of whole blocks.
  for (int group = 0; group < work.groups; ++group)
    for (int m = 0; m < work.outputs; m += tile.outputs)
      for (int n = 0; n < work.inputs; n += tile.inputs) {
        base::stop_if_interrupted();
        const int end = std::min(work.outputs, m + tile.outputs), in_end = std::min(work.inputs, n + tile.inputs);
        for (int mb = m; mb < end; mb += tm)
          for (int nb = n; nb < in_end; nb += tn)
            for (int place = 0; place < places; ++place)
              for (int o = mb; o < mb + tm; ++o)
                for (int i = nb; i < nb + tn; ++i, image += bytes) {
                  if (o >= end || i >= in_end) continue;
                  const std::int64_t at = source.at(group * work.outputs + o, i, place);
                  if (at >= 0) put_integer(weight_word(layer, static_cast<std::size_t>(at)), image, bytes);
                }
      }
}

std::vector<ChannelParameters> channel_parameters(const network::Layer& layer, const Config& config) {
  std::vector<ChannelParameters> parameters;
  for (int output = 0; output < layer.outputs(); ++output) {
    if (layer.single()) {
      parameters.push_back({bits_of(layer.single()->bias[static_cast<std::size_t>(output)]), 1, 0});
      continue;
    }
    const arith::Requantise q = layer.requantise(output);
    const std::int64_t bias = folded_bias(layer, output, config.quantiser.accumulator_bits);
    parameters.push_back({bias, q.scale, q.shift});
  }
  return parameters;
}

std::vector<std::int32_t> function_table(const network::Layer& function) {
  const int lowest = function.in_format.lowest(), highest = function.in_format.highest();
  network::Layer of_all = function;
  of_all.in = of_all.out = network::Shape::map(highest - lowest + 1, 1, 1);
  network::Tensor codes{of_all.in, function.in_format, {}};
  codes.resize(static_cast<std::size_t>(of_all.in.channels));
  for (int code = lowest; code <= highest; ++code) codes.set(static_cast<std::size_t>(code - lowest), code);
  const network::Tensor out = network::run_reference(of_all, {}, codes).out;
  std::vector<std::int32_t> table;
  for (std::size_t i = 0; i < out.size(); ++i) table.push_back(out.at(i));
  return table;
}

std::function<float(float)> float_function(const network::Layer& layer) {
  const network::FunctionStage& function = *layer.function();
  if (function.function == network::Function::leaky_relu)
    return [slope = static_cast<float>(function.slopes.front())](float x) { return x < 0 ? x * slope : x; };
  return [function](float x) {
    const auto number = static_cast<double>(x);
    return static_cast<float>(network::apply(function, network::Shape::map(1, 1, 1), {number}, {}).front());
  };
}

}  // namespace fansim::decoupled
