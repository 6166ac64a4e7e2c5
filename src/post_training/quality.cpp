// SPDX-License-Identifier: Apache-2.0
#include "post_training/quality.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/interrupt.h"
#include "network/reference/reference.h"

namespace fansim::post_training {
namespace {

using network::Tensor;

// The quantiser is wide enough for every width, because what an accumulator loses is the machine's loss and not the
// method's.
constexpr arith::QuantiserFormat kExact{48, 48, arith::Rounding::half_up};

template <class Value>
std::size_t largest_index(std::size_t count, Value value) {
  std::size_t largest = 0;
  for (std::size_t i = 1; i < count; ++i)
    if (value(i) > value(largest)) largest = i;
  return largest;
}

std::size_t top1(const Tensor& tensor) {
  if (tensor.format.type == network::DataType::float32)
    return largest_index(tensor.size(), [&](std::size_t i) { return tensor.real(i); });
  return largest_index(tensor.size(), [&](std::size_t i) { return tensor.at(i); });
}

std::vector<network::Result> computed(const network::Network& network, const Machine* machine) {
  if (!machine) return network::run_reference(network, kExact);
  if (machine->kernels.empty()) return network::run_reference(network, machine->quantiser);
  std::vector<network::Result> results;
  const auto produced = [&](int index) -> const Tensor& {
    return index == network::Layer::kInput ? network.input : results[static_cast<std::size_t>(index)].out;
  };
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const network::Layer& layer = network.layers[i];
    results.push_back(network::run_reference(layer, machine->quantiser, produced(layer.source), &produced(layer.with),
                                             &machine->kernels[i]));
  }
  return results;
}

void compare(const std::vector<Tensor>& floats, const network::Network& network, const Machine* machine,
             Quality& quality) {
  const std::vector<network::Result> codes = computed(network, machine);
  for (std::size_t i = 0; i < floats.size(); ++i) {
    LayerQuality& layer = quality.layers[i];
    for (std::size_t at = 0; at < floats[i].size(); ++at)
      layer.sqnr.add(floats[i].real(at), layer.activation.value(codes[i].out.at(at)));
  }
  ++quality.inputs;
  quality.agreeing += top1(floats.back()) == top1(codes.back().out);
}

Quality empty(const network::Network& network, const Coded& coded) {
  const Coder& coder = coded.coder;
  Quality quality{coder.method->name(), "", coder.weight_bits, coder.activation_bits, coded.refusal, {}};
  if (!coded.network) return quality;
  for (std::size_t i = 0; i < network.layers.size(); ++i)
    quality.layers.push_back(
        {network.layers[i].name, network.layers[i].kind(), coded.calibration.activations[i + 1], {}});
  return quality;
}

}  // namespace

std::optional<double> SignalToNoise::db() const {
  if (signal == 0 || noise == 0) return std::nullopt;
  return 10 * std::log10(signal / noise);
}

std::optional<double> SignalToNoise::cosine() const {
  if (signal == 0 || found_signal == 0) return std::nullopt;
  return both / std::sqrt(signal * found_signal);
}

Coded coded_of(const network::Network& network, const arith::QuantisationMethods& methods, const std::string& path) {
  const auto fail = [&](const std::string& what) { throw base::UserError(base::Location{path, 0, 0}, what); };
  if (!network.coding) fail("no network of codes: key 'quantised' is missing");
  Coded coded;
  coded.coder = {methods.find(network.coding->method), network.coding->weight_bits, network.coding->activation_bits};
  if (!(network.input_step > 0)) fail("input: key 'step' is missing");
  coded.calibration.activations.push_back({network.input.format, network.input_step});
  coded.network = network;
  for (network::Layer& layer : coded.network->layers) {
    double step = layer.step;
    if (step == 0 && !layer.computes()) step = coded.calibration.of(layer.source).step;
    if (!(step > 0)) throw base::UserError(layer.where, fmt::format("{}: key 'step' is missing", layer.name));
    coded.calibration.activations.push_back({layer.out_format, step});
    if (!layer.computes()) continue;
    layer.sum_in_floats(!coded.coder.method->supports(arith::Grain::coarse));
    layer.parameters().scale_float_sums();
  }
  return coded;
}

std::vector<Quality> measure(const network::FloatNetwork& network, const std::vector<Tensor>& inputs,
                             const std::vector<Coded>& coded, const Machine* machine) {
  std::vector<Quality> qualities;
  std::vector<std::optional<network::Network>> networks;
  for (const Coded& one : coded) {
    qualities.push_back(empty(network.network, one));
    if (machine) qualities.back().machine = machine->name;
    networks.push_back(one.network);
  }
  for (const Tensor& input : inputs) {
    const std::vector<Tensor> floats = network::run_float(network, input);
    for (std::size_t i = 0; i < networks.size(); ++i) {
      base::stop_if_interrupted();
      if (!networks[i]) continue;
      networks[i]->input = code_input(input, coded[i].calibration.of(network::Layer::kInput));
      compare(floats, *networks[i], machine, qualities[i]);
    }
  }
  return qualities;
}

const LayerQuality* adds_most(const network::Network& network, const Quality& quality) {
  const auto noise = [&](int producer) {  // relative to the signal
    if (producer == network::Layer::kInput) return 0.0;
    const SignalToNoise& sqnr = quality.layers[static_cast<std::size_t>(producer)].sqnr;
    return sqnr.signal > 0 ? sqnr.noise / sqnr.signal : 0;
  };
  const LayerQuality* worst = nullptr;
  double most = 0;
  for (std::size_t i = 0; i < quality.layers.size(); ++i) {
    const network::Layer& layer = network.layers[i];
    const double before = layer.reads_two() ? std::max(noise(layer.source), noise(layer.with)) : noise(layer.source);
    const double added = noise(static_cast<int>(i)) - before;
    if (added > most) worst = &quality.layers[i];
    most = std::max(most, added);
  }
  return worst;
}

}  // namespace fansim::post_training
