// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/file.h"
#include "base/hash.h"
#include "base/interrupt.h"
#include "base/npy.h"
#include "network/float/float_network.h"
#include "network/read_layer.h"

namespace fansim::network {
namespace {

class FloatLoader {
 public:
  explicit FloatLoader(const std::string& path)
      : path_(path), text_(base::read_file(path)), top_(base::parse_yaml(text_, path)) {
    hash_.add(text_);
  }

  FloatNetwork load() {
    Network& network = loaded_.network;
    top_.integer("version", 1, 1);
    network.name = top_.text("name");
    read_input();
    const std::vector<base::YamlNode>& nodes = layer_nodes(top_);
    top_.finish();
    std::int64_t held = network.input.shape.elements();
    for (const base::YamlNode& node : nodes) {
      base::stop_if_interrupted();
      LayerEntry entry = read_layer(node, network);
      held += entry.layer.out.elements() + entry.layer.weight_count();
      require_held(entry.map, held);
      loaded_.weights.push_back(read_weights(entry));
      loaded_.given.push_back({entry.given_format, entry.given_step});
      network.layers.push_back(std::move(entry.layer));
    }
    network.hash = hash_.text();
    return std::move(loaded_);
  }

 private:
  void read_input() {
    base::YamlMap map(top_.at("input"), "input");
    const char* word = base::facts(DataType::float32).word;
    if (map.text("type", "int8") != word)
      map.fail("type", fmt::format("type: expected {}, a network of floats; found {}", word, map.text("type", "int8")));
    loaded_.network.input.shape = read_input_shape(map);
    loaded_.network.input.format = NumberFormat::of(DataType::float32);
    GivenFormat given;
    given.step = read_given_format(map, given.format);
    loaded_.given.push_back(given);
    map.finish();
  }

  FloatWeights read_weights(LayerEntry& entry) {
    const Layer& layer = entry.layer;
    FloatWeights weights;
    if (!layer.computes()) return weights;
    entry.map.at("weights");
    weights.weights = read_tensor(entry, "weights", entry.weights_file, layer.weight_dims());
    weights.bias.resize(static_cast<std::size_t>(layer.bias_count()));
    if (!entry.bias_file.empty()) weights.bias = read_tensor(entry, "bias", entry.bias_file, {layer.bias_count()});
    if (entry.steps_file.empty()) return weights;
    const bool one = base::read_npy_count(base::beside(path_, entry.steps_file)) == 1;
    weights.steps = read_tensor(entry, "weight_steps", entry.steps_file, {one ? 1 : layer.outputs()});
    for (const float step : weights.steps)
      if (!(step > 0)) entry.map.fail("weight_steps", "weight_steps: a step that is not positive");
    return weights;
  }

  std::vector<float> read_tensor(const LayerEntry& entry, const char* key, const std::string& name,
                                 const base::NpyShape& shape) {
    const std::string file = base::beside(path_, name);
    try {
      hash_.add(base::read_file(file, base::largest_npy(sizeof(float), shape)));
      std::vector<float> values = base::read_npy<float>(file, shape);
      base::require_finite(file, values);
      return values;
    } catch (const base::UserError& error) {
      entry.map.fail(key, error.what());
    }
  }

  std::string path_, text_;
  base::YamlMap top_;
  base::Fnv1a hash_;
  FloatNetwork loaded_;
};

}  // namespace

FloatNetwork load_float_network(const std::string& path) { return FloatLoader(path).load(); }

}  // namespace fansim::network
