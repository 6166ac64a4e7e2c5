// SPDX-License-Identifier: Apache-2.0
#include "post_training/calibrate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <numeric>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/npy.h"
#include "post_training/code_recurrent.h"

namespace fansim::post_training {
namespace {

using network::Layer;
using network::Tensor;

// Updates the extremes with all values, and the sample with at most `most` evenly spaced values of the tensor.
void add(Observed& observed, const Tensor& tensor, std::size_t most) {
  const auto values = tensor.view<float>();
  const std::size_t stride = (values.size() + most - 1) / most;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const float value = values[i];
    observed.lowest = std::min(observed.lowest, value);
    observed.highest = std::max(observed.highest, value);
    if (i % stride == 0) observed.sample.push_back(value);
  }
}

// Returns, for the input and each layer, the first tensor that shares its format.
std::vector<std::size_t> shared_formats(const std::vector<Layer>& layers) {
  std::vector<std::size_t> first(layers.size() + 1);
  std::iota(first.begin(), first.end(), std::size_t{0});
  const auto join = [&first](std::size_t a, std::size_t b) {
    const std::size_t from = std::max(first[a], first[b]), to = std::min(first[a], first[b]);
    std::replace(first.begin(), first.end(), from, to);
  };
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (layers[i].computes() || layers[i].rescales() || layers[i].type() == network::LayerType::add) continue;
    join(i + 1, static_cast<std::size_t>(layers[i].source + 1));
    if (layers[i].reads_two()) join(i + 1, static_cast<std::size_t>(layers[i].with + 1));
  }
  return first;
}

// Computes the mean sum of an output's inputs: it runs the layer with all weights 1 and one output per group.
double mean_window_sum(const Layer& layer, const Tensor& in) {
  Layer sum = layer;
  sum.activation = network::Activation::none;
  sum.out.channels = layer.groups();
  if (sum.type() == network::LayerType::conv)
    sum.conv().filters = layer.groups();
  else
    sum.fc().units = 1;
  network::FloatWeights ones;
  ones.weights.assign(static_cast<std::size_t>(sum.weight_count()), 1);
  ones.bias.assign(static_cast<std::size_t>(sum.bias_count()), 0);
  const Tensor out = network::run_float(sum, ones, in);
  double total = 0;
  for (std::size_t i = 0; i < out.size(); ++i) total += out.real(i);
  return total / static_cast<double>(out.size());
}

// Adds the mean of each channel (conv) or of each element (fc) to `means`, multiplied by `share`.
void add_means(const Layer& layer, const Tensor& in, double share, std::vector<double>& means) {
  const bool map = layer.type() == network::LayerType::conv;
  const auto values = in.view<float>();
  means.resize(map ? static_cast<std::size_t>(layer.in.channels) : values.size());
  const std::size_t each = values.size() / means.size();
  for (std::size_t i = 0; i < values.size(); ++i)
    means[i / each] += static_cast<double>(values[i]) * share / static_cast<double>(each);
}

bool sums_windows(const Layer& layer) {
  return layer.type() == network::LayerType::conv || layer.type() == network::LayerType::fc;
}

}  // namespace

bool same(const Activation& a, const Activation& b) {
  return a.format == b.format && std::abs(a.step - b.step) <= 1e-6 * b.step;
}

std::vector<Tensor> read_inputs(const std::string& path, const network::Network& network) {
  const base::NpyBatch batch = base::read_npy_batch(path, network.input.shape.dims());
  std::vector<Tensor> inputs;
  const std::size_t bytes = batch.values.size() / static_cast<std::size_t>(batch.count) * sizeof(float);
  const auto* from = reinterpret_cast<const std::uint8_t*>(batch.values.data());
  for (std::int64_t i = 0; i < batch.count; ++i, from += bytes)
    inputs.push_back({network.input.shape, network.input.format, {from, from + bytes}});
  return inputs;
}

Tensor code_input(const Tensor& input, const Activation& activation) {
  Tensor codes{input.shape, activation.format, {}};
  codes.resize(input.size());
  for (std::size_t i = 0; i < codes.size(); ++i) codes.set(i, activation.code(input.real(i)));
  return codes;
}

Observations observe(const network::FloatNetwork& network, const std::vector<Tensor>& inputs) {
  constexpr std::size_t kSample = 1 << 16;  // most values kept of a tensor, over all inputs
  const std::vector<Layer>& layers = network.network.layers;
  const std::size_t most = std::max<std::size_t>(kSample / std::max<std::size_t>(inputs.size(), 1), 1);
  Observations seen;
  seen.format_of = shared_formats(layers);
  seen.formats.resize(seen.format_of.size());
  seen.window_sums.resize(layers.size());
  seen.read_means.resize(layers.size());
  for (const Tensor& input : inputs) {
    const std::vector<Tensor> outputs = network::run_float(network, input);
    add(seen.formats[seen.format_of[0]], input, most);
    for (std::size_t i = 0; i < layers.size(); ++i) {
      add(seen.formats[seen.format_of[i + 1]], outputs[i], most);
      if (!sums_windows(layers[i])) continue;
      const Tensor& in =
          layers[i].source == Layer::kInput ? input : outputs[static_cast<std::size_t>(layers[i].source)];
      seen.window_sums[i] += mean_window_sum(layers[i], in) / static_cast<double>(inputs.size());
      add_means(layers[i], in, 1 / static_cast<double>(inputs.size()), seen.read_means[i]);
    }
  }
  return seen;
}

namespace {

constexpr int kGivenBits = 8;  // width of the codes of given formats

// Maps the first tensor of each group that shares a format to the format that the network gives.
std::map<std::size_t, Activation> given_formats(const network::FloatNetwork& network,
                                                const std::vector<std::size_t>& format_of) {
  std::map<std::size_t, Activation> given;
  for (std::size_t i = 0; i < network.given.size(); ++i) {
    network::GivenFormat one = network.given[i];
    if (i > 0 && network.network.layers[i - 1].recurs()) one = {hidden_state().format, hidden_state().step};
    if (one.step == 0) continue;
    const auto [known, added] = given.try_emplace(format_of[i], Activation{one.format, one.step});
    if (added || same(known->second, {one.format, one.step})) continue;
    const Layer& layer = network.network.layers[i - 1];
    throw base::UserError(layer.where,
                          layer.name + ": key 'format' is another than that of a tensor it shares one with");
  }
  return given;
}

}  // namespace

std::vector<std::string> tensors_without_format(const network::FloatNetwork& network) {
  const std::vector<std::size_t> format_of = shared_formats(network.network.layers);
  const auto given = given_formats(network, format_of);
  std::vector<std::string> without;
  for (std::size_t i = 0; i < format_of.size(); ++i)
    if (given.count(format_of[i]) == 0)
      without.push_back(i == 0 ? "the input" : fmt::format("'{}'", network.network.layers[i - 1].name));
  return without;
}

Calibration calibrate(const network::FloatNetwork& network, const Observations& seen, int bits, const Fit& fit) {
  const auto given = bits == kGivenBits ? given_formats(network, seen.format_of) : std::map<std::size_t, Activation>{};
  Calibration calibration;
  calibration.window_sums = seen.window_sums;
  calibration.read_means = seen.read_means;
  for (std::size_t i = 0; i < seen.format_of.size(); ++i) {
    base::stop_if_interrupted();
    const std::size_t format = seen.format_of[i];
    if (const auto found = given.find(format); found != given.end()) {
      calibration.activations.push_back(found->second);
      continue;
    }
    const Observed& values = seen.formats[format];
    calibration.activations.push_back(format == i
                                          ? fit_activation(values.sample, values.lowest, values.highest, bits, fit)
                                          : calibration.activations[format]);
  }
  return calibration;
}

}  // namespace fansim::post_training
