// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <cmath>

#include "base/file.h"
#include "base/hash.h"
#include "base/interrupt.h"
#include "base/npy.h"
#include "network/network.h"
#include "network/random_tensors.h"
#include "network/read_layer.h"

namespace fansim::network {
namespace {

constexpr int kLargestExtent = 1 << 20;

double rms_of(const std::vector<std::int8_t>& values) {
  double squares = 0;
  for (const std::int8_t value : values) squares += value * value;
  return std::sqrt(squares / static_cast<double>(values.size()));
}

class Loader {
 public:
  Loader(const std::string& path, const LoadOptions& options)
      : path_(path), options_(options), text_(base::read_file(path)), top_(base::parse_yaml(text_, path)) {
    hash_.add(text_);
  }

  Network load() {
    top_.integer("version", 1, 1);
    network_.name = top_.text("name");
    read_input();
    const base::YamlNode& layers = top_.at("layers");
    if (layers.kind != base::YamlNode::Kind::list || layers.items.empty()) {
      top_.fail("layers", "layers: expected a list of layers, found " +
                              (layers.items.empty() && layers.kind == base::YamlNode::Kind::list ? "an empty one"
                                                                                                 : layers.found()));
    }
    top_.finish();
    for (const base::YamlNode& node : layers.items) {
      base::stop_if_interrupted();
      LayerEntry entry = read_layer(node, network_);
      load_tensors(entry);
      network_.layers.push_back(std::move(entry.layer));
    }
    network_.hash = hash_.text();
    return std::move(network_);
  }

 private:
  void read_input() {
    base::YamlMap map(top_.at("input"), "input");
    Tensor& input = network_.input;
    if (map.has("steps") || map.has("features")) {
      input.shape = Shape::series(map.integer("steps", 1, kLargestExtent), map.integer("features", 1, kLargestExtent));
    } else {
      const std::vector<int> dims = map.integers("shape", 1, kLargestExtent);
      if (dims.size() != 3) map.fail("shape", fmt::format("shape: expected [C, H, W], found {} integers", dims.size()));
      input.shape = Shape::map(dims[0], dims[1], dims[2]);
      if (std::int64_t{dims[0]} * dims[1] > INT_MAX) map.fail("shape", "more than 2^31 values");
    }
    if (input.shape.elements() > INT_MAX) map.fail(map.where(), "more than 2^31 values");
    input.format = read_number_format(map);
    map.finish();
    rms_.push_back(expected_input_rms(input.format));
    network_.input_given = !options_.input.empty();
    if (!options_.values) return;
    if (network_.input_given) {
      input.bytes = base::read_npy(options_.input, input.format.type, input.shape.dims());
    } else {
      fill_random_input(input, options_.seed);
    }
  }

  // The file a layer's key names; what is wrong with it is reported at that key.
  template <class T>
  std::vector<T> read_tensor(const LayerEntry& entry, const std::string& key, const std::string& name,
                             const base::NpyShape& shape) {
    const std::string file = base::beside(path_, name);
    try {
      hash_.add(base::read_file(file, base::largest_npy(sizeof(T), shape)));
      return base::read_npy<T>(file, shape);
    } catch (const base::UserError& error) {
      entry.map.fail(key, error.what());
    }
  }

  double rms(int producer) const { return rms_[static_cast<std::size_t>(producer + 1)]; }

  void load_tensors(LayerEntry& entry) {
    Layer& layer = entry.layer;
    const double in_rms = rms(layer.source);
    rms_.push_back(expected_output_rms(layer, in_rms, rms(layer.with)));
    if (!layer.computes()) return;

    double weight_rms = 0;
    layer.weights_given = !entry.weights_file.empty();
    layer.bias_given = !entry.bias_file.empty();
    layer.quant_given = !layer.scale.empty();
    if (layer.weights_given) {
      layer.weights = read_tensor<std::int8_t>(entry, "weights", entry.weights_file, layer.weight_dims());
      weight_rms = rms_of(layer.weights);
      layer.lowest_weight = *std::min_element(layer.weights.begin(), layer.weights.end());
    }
    if (layer.bias_given) {
      layer.bias = read_tensor<std::int32_t>(entry, "bias", entry.bias_file, {layer.bias_count()});
    }
    const Derived derived = derive(layer, in_rms, weight_rms);
    if (!layer.quant_given) {
      layer.scale = {derived.scale};
      layer.shift = {derived.shift};
    }
    if (!layer.weights_given) layer.lowest_weight = -derived.weight_limit;
    if (!options_.values) {
      layer.weights = {};
      layer.bias = {};
      return;
    }
    if (!layer.weights_given) fill_random_weights(layer, derived.weight_limit, options_.seed);
    if (!layer.bias_given) fill_random_bias(layer, derived.bias_limit, options_.seed);
  }

  std::string path_;
  const LoadOptions& options_;
  std::string text_;
  base::YamlMap top_;
  base::Fnv1a hash_;
  Network network_;
  std::vector<double> rms_;  // expected of the input, then of each layer's output
};

}  // namespace

Network load_network(const std::string& path, const LoadOptions& options) { return Loader(path, options).load(); }

}  // namespace fansim::network
