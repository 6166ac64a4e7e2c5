// SPDX-License-Identifier: Apache-2.0
#include "network/read_layer.h"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <cmath>

#include "network/infer_shape.h"
#include "network/read_function.h"

namespace fansim::network {
namespace {

// The number of types that LayerType has; the words of functions follow them.
std::vector<Operation> operations() {
  Recurrent gru;
  gru.gru = true;
  std::vector<Operation> all{Convolution{}, FullyConnected{}, Pooling{}, Pooling{true, {}}, Recurrent{},
                             gru,           Addition{},       Relu{},    Flatten{},         Softmax{}};
  for (std::size_t i = 0; i < function_names().size(); ++i) {
    FunctionStage stage;
    stage.function = static_cast<Function>(i);
    all.emplace_back(std::move(stage));
  }
  return all;
}

Operation read_type(base::YamlMap& map) {
  static const std::vector<Operation> kOperations = operations();
  std::vector<std::string> words;
  Layer layer;
  for (const Operation& operation : kOperations) {
    layer.operation = operation;
    words.emplace_back(layer.kind());
  }
  return kOperations[map.choice("type", words)];
}

// A name is also a file name.
bool good_name(const std::string& name) {
  return name != "input" && name[0] != '.' && std::all_of(name.begin(), name.end(), [](unsigned char c) {
           return std::isalnum(c) || c == '_' || c == '-' || c == '.';
         });
}

}  // namespace

std::string read_layer_name(const base::YamlNode& node, const Network& before) {
  base::YamlMap map(node);
  const std::string name = map.text("name");
  if (!good_name(name)) {
    map.fail("name",
             fmt::format("name '{}' must consist of letters, digits, '_', '-' and '.', and not be 'input'", name));
  }
  for (const Layer& layer : before.layers) {
    if (layer.name == name) {
      map.fail("name", fmt::format("layer name '{}' already used in line {}", name, layer.where.line));
    }
  }
  return name;
}

int read_producer(base::YamlMap& map, const std::string& key, const Network& before) {
  const std::string name = map.text(key);
  if (name == "input") return Layer::kInput;
  std::vector<std::string> names{"input"};
  for (std::size_t i = 0; i < before.layers.size(); ++i) {
    if (before.layers[i].name == name) return static_cast<int>(i);
    names.push_back(before.layers[i].name);
  }
  map.fail(key, fmt::format("{} '{}' names no earlier layer{}", key, name, base::did_you_mean(name, names)));
}

namespace {

void read_conv(base::YamlMap& map, Convolution& conv) {
  conv.filters = map.integer("filters", 1, kLargestExtent);
  conv.groups = map.integer("groups", 1, kLargestExtent, 1);
  conv.window.kernel = map.integer("kernel", 1, kLargestKernel);
  conv.window.stride = map.integer("stride", 1, kLargestKernel, 1);
  conv.window.padding = read_padding(map);
}

void read_pooling(base::YamlMap& map, Pooling& pooling) {
  Window& window = pooling.window;
  window.kernel = map.integer("kernel", 1, pooling.average ? 256 : kLargestKernel);
  window.stride = map.integer("stride", 1, kLargestKernel, window.kernel);
  window.padding = read_padding(map);
  window.ceil_mode = map.boolean("ceil_mode", false);
}

void read_activation(base::YamlMap& map, Layer& layer) {
  if (map.has("activation")) layer.activation = static_cast<Activation>(map.choice("activation", {"none", "relu"}));
  if (!map.has("limit")) return;
  layer.limit = map.number("limit", 1e-6, 1e6);
  if (layer.activation != Activation::relu) map.fail("limit", "limit: only of activation relu");
}

void read_geometry(base::YamlMap& map, Layer& layer) {
  switch (layer.type()) {
    case LayerType::conv:
      read_conv(map, layer.conv());
      read_activation(map, layer);
      break;
    case LayerType::fc:
      layer.fc().units = map.integer("units", 1, kLargestExtent);
      read_activation(map, layer);
      break;
    case LayerType::maxpool:
    case LayerType::avgpool:
      read_pooling(map, layer.pooling());
      break;
    case LayerType::lstm:
    case LayerType::gru:
      layer.recurrent().hidden = map.integer("hidden", 1, kLargestExtent / 8);
      layer.recurrent().steps = map.integer("steps", 1, kLargestExtent, 0);
      break;
    case LayerType::add:
      read_activation(map, layer);
      break;
    case LayerType::relu:
    case LayerType::flatten:
    case LayerType::softmax:
    case LayerType::vision:
      break;
    case LayerType::function:
      read_function(map, *layer.function());
      break;
  }
}

constexpr int kLargestScale = 32767, kLargestShift = 31;

// Reads one value, or a list with one per output.
std::vector<int> read_per_output(base::YamlMap& quant, const std::string& key, int lo, int hi, const Layer& layer) {
  if (quant.at(key).kind != base::YamlNode::Kind::list) return {quant.integer(key, lo, hi)};
  std::vector<int> values = quant.integers(key, lo, hi);
  if (layer.recurs()) {
    quant.fail(key, fmt::format("{}: a recurrent layer takes one integer, found a list", key));
  }
  if (values.size() != static_cast<std::size_t>(layer.outputs())) {
    quant.fail(key, fmt::format("{}: expected one integer or {}, found {}", key, layer.outputs(), values.size()));
  }
  return values;
}

bool all_equal(const std::vector<int>& values) {
  return std::all_of(values.begin(), values.end(), [&](int value) { return value == values.front(); });
}

// Only an lstm has this key: a GRU mixes the new hidden state with the old one, so both have one scale.
void read_hidden_quant(base::YamlMap& map, Layer& layer) {
  if (!map.has("hidden_quant")) return;
  if (layer.type() != LayerType::lstm)
    map.fail("hidden_quant",
             fmt::format("hidden_quant: only an lstm's hidden state has a scale of its own, {} has none",
                         type_name(layer.type())));
  base::YamlMap quant(map.at("hidden_quant"), layer.name + ": hidden_quant");
  layer.recurrent().hidden_scale = quant.integer("scale", 1, kLargestScale);
  layer.recurrent().hidden_shift = quant.integer("shift", 0, kLargestShift);
  quant.finish();
}

// Reads the weights of the operands in a sum, and the sum's scale.
void read_sum(base::YamlMap& quant, Addition& sum) {
  const std::vector<int> weights = quant.integers("weights", 1, kLargestScale);
  if (weights.size() != 2)
    quant.fail("weights", fmt::format("weights: expected one of each operand, found {}", weights.size()));
  sum.weights = {weights[0], weights[1]};
  sum.scales = {{quant.integer("scale", 1, kLargestScale, 1)}, {quant.integer("shift", 0, kLargestShift, 0)}, true};
}

std::string name_of(int producer, const Network& before) {
  return producer == Layer::kInput ? "input" : before.layers[static_cast<std::size_t>(producer)].name;
}

// Operands that are added without weights must have one format.
void require_one_format(const base::YamlMap& map, const Layer& layer, const Network& before) {
  if (layer.type() != LayerType::add || layer.weighs() || before.format(layer.with) == layer.in_format) return;
  map.fail("with", fmt::format("add of different number formats: {} and {}; 'quant' gives them 'weights'",
                               name_of(layer.source, before), name_of(layer.with, before)));
}

void read_quant(base::YamlMap& map, Layer& layer, const Network& before) {
  if (!map.has("quant")) return;
  if (before.input.format.type == DataType::float32) map.fail("quant", "quant: floats are not requantised");
  base::YamlMap quant(map.at("quant"), layer.name + ": quant");
  if (layer.type() == LayerType::add) read_sum(quant, layer.addition());
  if (layer.computes() && (quant.has("scale") || quant.has("shift"))) {
    Scales& scales = layer.scales();
    scales.scale = read_per_output(quant, "scale", 1, kLargestScale, layer);
    scales.shift = read_per_output(quant, "shift", 0, kLargestShift, layer);
    if (all_equal(scales.scale) && all_equal(scales.shift)) scales = {{scales.scale[0]}, {scales.shift[0]}};
  }
  if (layer.type() == LayerType::conv || layer.type() == LayerType::fc || layer.rescales()) {
    layer.out_format = read_number_format(quant, before.coding ? before.coding->activation_bits : 8);
  }
  quant.finish();
}

// Reads the step of a layer's codes. Without weights, it follows from the steps of the codes that the layer reads.
void read_step(base::YamlMap& map, Layer& layer, const Network& before) {
  if (map.has("step")) layer.step = map.number("step", 1e-30, 1e30);
  layer.in_step = before.step(layer.source);
  if (layer.reads_two()) layer.with_step = before.step(layer.with);
  if (layer.computes()) return;
  for (const int producer : {layer.source, layer.reads_two() ? layer.with : layer.source})
    if (layer.function() && layer.rescales() && before.step(producer) == 0)
      map.fail("type", fmt::format("{} needs to know what it reads stands for: {} has no 'step'", layer.kind(),
                                   name_of(producer, before)));
  if (layer.keeps_step() && !same_step(layer.step, layer.in_step))
    map.fail("step", fmt::format("step {}: {} keeps the codes of {}, and so their step, {}", layer.step, layer.kind(),
                                 name_of(layer.source, before), layer.in_step));
  if (layer.step > 0) return;
  const bool unit = layer.function() ? facts(layer.function()->function).unit : layer.type() == LayerType::softmax;
  layer.step = unit ? 1.0 / (layer.out_format.highest() - layer.out_format.zero_point + 1) : layer.in_step;
  if (layer.weighs())
    layer.step =
        std::ldexp(layer.in_step, layer.scales().shift[0]) / layer.addition().weights[0] / layer.scales().scale[0];
}

}  // namespace

const std::vector<base::YamlNode>& layer_nodes(base::YamlMap& top, const char* key) {
  const base::YamlNode& layers = top.at(key);
  const bool list = layers.kind == base::YamlNode::Kind::list;
  if (!list || layers.items.empty())
    top.fail(key, fmt::format("{0}: expected a list of {0}, found {1}", key, list ? "an empty one" : layers.found()));
  return layers.items;
}

void require_held(const base::YamlMap& map, std::int64_t values) {
  if (values > kMostValues)
    map.fail(map.where(), fmt::format("{} values up to here, of maps and weights; with values a network may hold {}, "
                                      "with --timing-only any number",
                                      values, kMostValues));
}

Shape read_input_shape(base::YamlMap& input) {
  Shape shape;
  if (input.has("steps") || input.has("features")) {
    shape = Shape::series(input.integer("steps", 1, kLargestExtent), input.integer("features", 1, kLargestExtent));
  } else {
    const std::vector<int> dims = input.integers("shape", 1, kLargestExtent);
    if (dims.size() != 3) input.fail("shape", fmt::format("shape: expected [C, H, W], found {} integers", dims.size()));
    shape = Shape::map(dims[0], dims[1], dims[2]);
    if (std::int64_t{dims[0]} * dims[1] > INT_MAX) input.fail("shape", "more than 2^31 values");
  }
  if (shape.elements() > INT_MAX) input.fail(input.where(), "more than 2^31 values");
  return shape;
}

NumberFormat read_number_format(base::YamlMap& map, int bits) {
  const NumberFormat types[] = {NumberFormat::codes(bits), NumberFormat::codes(bits, true)};
  NumberFormat format = types[bits == 1 ? 1 : 0];
  if (map.has("type")) {
    std::vector<std::string> words;
    for (const NumberFormat& known : types) words.emplace_back(base::facts(known.type).word);
    format = types[map.choice("type", words)];
    if (bits == 1 && !format.is_unsigned()) map.fail("type", "type int8: a value of one bit is unsigned");
  }
  format.zero_point = map.integer("zero_point", format.lowest(), format.highest(), 0);
  return format;
}

double read_given_format(base::YamlMap& map, NumberFormat& format) {
  if (!map.has("format")) return 0;
  base::YamlMap given(map.at("format"), "format");
  format = read_number_format(given, 8);
  const double step = given.number("step", 1e-30, 1e30);
  given.finish();
  return step;
}

LayerEntry read_layer(const base::YamlNode& node, const Network& before) {
  const std::string name = read_layer_name(node, before);
  LayerEntry entry{base::YamlMap(node, name), {}, "", "", "", "", {}, 0};
  base::YamlMap& map = entry.map;
  Layer& layer = entry.layer;
  layer.name = map.text("name");
  layer.where = node.where;
  layer.operation = read_type(map);
  layer.source =
      map.has("input_from") ? read_producer(map, "input_from", before) : static_cast<int>(before.layers.size()) - 1;
  if (layer.reads_two()) layer.with = read_producer(map, "with", before);
  read_geometry(map, layer);
  infer_shape(map, layer, before);
  if (layer.limit > 0 && before.input.format.type != DataType::float32)
    map.fail("limit", "limit: of floats alone; integers saturate at their type's ends");
  if (layer.computes() || layer.rescales() || layer.type() == LayerType::add) read_quant(map, layer, before);
  require_one_format(map, layer, before);
  if (before.input.format.type != DataType::float32) read_step(map, layer, before);
  if (layer.computes()) {
    read_hidden_quant(map, layer);
    entry.weights_file = map.text("weights", "");
    entry.bias_file = map.text("bias", "");
    if (before.coding) entry.codebook_file = map.text("codebook", "");
  }
  if (before.input.format.type == DataType::float32) {
    entry.given_step = read_given_format(map, entry.given_format);
    if (layer.computes()) entry.steps_file = map.text("weight_steps", "");
  }
  map.finish();
  return entry;
}

}  // namespace fansim::network
