// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "importer/operators.h"

namespace fansim::importer {
namespace {

using Type = ImportedLayer::Type;

constexpr double kMostNumber = 1e6;  // the largest number in a network file

// Returns the layer before, if it can absorb a ReLU and nothing else reads it.
ImportedLayer* before_relu(Graph& graph, const Node& node) {
  ImportedLayer* before = graph.only_read(node);
  const bool takes =
      before && !before->relu && (before->type == Type::conv || before->type == Type::fc || before->type == Type::add);
  return takes ? before : nullptr;
}

void relu(Graph& graph, const Node& node) {
  const Value in = graph.elements(node, 0);
  if (ImportedLayer* before = before_relu(graph, node)) {
    before->relu = true;
    graph.alias(node, in);
    return;
  }
  graph.put(node, Type::relu, in, in.dims);
}

void clip(Graph& graph, const Node& node) {
  const Value in = graph.elements(node, 0);
  constexpr double kAll = std::numeric_limits<float>::max();
  const auto bound = [&](std::size_t input, const char* attribute, double none) {
    if (!graph.has(node, input)) return node.number(attribute, none);
    return static_cast<double>(graph.floats(node, input, "a bound", 1)[0]);
  };
  const double low = bound(1, "min", -kAll), high = bound(2, "max", kAll);
  if (low > high) throw Refused{"its least is more than its most"};
  const bool open = high > kMostNumber;
  if (ImportedLayer* before = low == 0 && high > 0 ? before_relu(graph, node) : nullptr) {
    before->relu = true;
    before->limit = open ? 0 : high;
    graph.alias(node, in);
    return;
  }
  if (low == 0 && open) {
    graph.put(node, Type::relu, in, in.dims);
    return;
  }
  ImportedLayer& layer = put_function(graph, node, "clip", in, in.dims);
  layer.numbers = {{"low", std::max(low, -kMostNumber)}, {"high", std::min(high, kMostNumber)}};
}

void activation(Graph& graph, const Node& node) {
  const Value in = graph.elements(node, 0);
  static const std::map<std::string, const char*> kFunctions{{"Sigmoid", "sigmoid"},
                                                             {"Tanh", "tanh"},
                                                             {"HardSigmoid", "hard_sigmoid"},
                                                             {"HardSwish", "hard_swish"},
                                                             {"LeakyRelu", "leaky_relu"}};
  ImportedLayer& layer = put_function(graph, node, kFunctions.at(node.op), in, in.dims);
  if (node.op == "HardSigmoid")
    layer.numbers = {{"alpha", node.number("alpha", 0.2)}, {"beta", node.number("beta", 0.5)}};
  if (node.op == "LeakyRelu") layer.numbers = {{"alpha", node.number("alpha", 0.01)}};
}

void lrn(Graph& graph, const Node& node) {
  const Value in = graph.map(node, 0);
  if (in.dims.size() != 4) throw Refused{fmt::format("its input has {} dimensions", in.dims.size())};
  const std::int64_t size = node.integer("size", 0);
  if (size < 1 || size > 1024) throw Refused{fmt::format("of {} channels", size)};
  put_function(graph, node, "lrn", in, in.dims).numbers = {{"size", static_cast<double>(size)},
                                                           {"alpha", node.number("alpha", 1e-4)},
                                                           {"beta", node.number("beta", 0.75)},
                                                           {"bias", node.number("bias", 1)}};
}

// Returns a number for each channel of a map from a constant that has one for each, or one for all.
std::vector<double> per_channel(const Constant& constant, const Dims& map) {
  if (map.size() < 2) throw Refused{"its input has no channels"};
  const std::int64_t channels = map[1];
  if (!constant.floating) throw Refused{"a constant that is not of floats"};
  Dims dims = constant.dims;
  while (dims.size() < map.size()) dims.insert(dims.begin(), 1);
  Dims wanted(map.size(), 1);
  wanted[1] = channels;
  if (constant.size() == 1)
    return std::vector<double>(static_cast<std::size_t>(channels), static_cast<double>(constant.floats[0]));
  if (dims != wanted) throw Refused{fmt::format("a constant of {} for a map of {}", text(constant.dims), text(map))};
  return {constant.floats.begin(), constant.floats.end()};
}

// Reads a single slope or one for each channel. Before opset 7 the slopes lack the dimensions of 1 that broadcast them.
void prelu(Graph& graph, const Node& node) {
  const Value in = graph.map(node, 0);
  Constant given = graph.constant(node, 1, "its slope");
  if (given.floats.empty()) throw Refused{"its slope is no number"};
  const bool one = std::all_of(given.floats.begin(), given.floats.end(),
                               [&](float slope) { return !(slope < given.floats[0]) && !(slope > given.floats[0]); });
  if (one) {
    given.floats.resize(1);
    given.dims = {1};
  }
  if (graph.model().opset < 7 && given.dims.size() == 1 && in.dims.size() > 2) given.dims.resize(in.dims.size() - 1, 1);
  std::vector<double> slopes = per_channel(given, in.dims);
  if (one) slopes.resize(1);
  for (const double slope : slopes)
    if (std::abs(slope) > kMostNumber) throw Refused{fmt::format("a slope of {}", slope)};
  put_function(graph, node, "leaky_relu", in, in.dims).lists = {{"alpha", slopes}};
}

// Before opset 7 an attribute `axis` said where the second operand lies in the first.
void refuse_axis(const Node& node) {
  if (node.integers.count("axis") > 0) throw Refused{"it is broadcast along an axis, as before opset 7"};
}

// Combines a map and a constant. `how` converts the constant to a factor and an offset for each channel.
using Affine = void (*)(double constant, bool map_first, double& factor, double& offset);
bool with_constant(Graph& graph, const Node& node, const char* what, Affine how) {
  refuse_axis(node);
  const bool first_is_map = graph.is_map(node, 0), second_is_map = graph.is_map(node, 1);
  if (first_is_map == second_is_map) return false;
  Node turned = node;
  if (second_is_map) std::swap(turned.inputs[0], turned.inputs[1]);
  const Value in = graph.map(turned, 0);
  const std::vector<double> constants = per_channel(graph.constant(turned, 1, what), in.dims);
  std::vector<double> factor(constants.size(), 1), offset(constants.size(), 0);
  for (std::size_t c = 0; c < constants.size(); ++c) how(constants[c], first_is_map, factor[c], offset[c]);
  affine(graph, turned, in, factor, offset);
  return true;
}

std::pair<Value, Value> equal_maps(Graph& graph, const Node& node) {
  const Value a = graph.elements(node, 0), b = graph.elements(node, 1);
  if (a.dims != b.dims || a.sequence != b.sequence || graph.is_series(a.layer) != graph.is_series(b.layer))
    throw Refused{fmt::format("maps of {} and {}; equal ones are taken", text(a.dims), text(b.dims))};
  return {a, b};
}

void add(Graph& graph, const Node& node) {
  const auto how = [](double constant, bool, double&, double& offset) { offset = constant; };
  if (with_constant(graph, node, "what is added", how)) return;
  const auto [a, b] = equal_maps(graph, node);
  const int with = graph.layer_of(node, b);
  graph.put(node, Type::add, a, a.dims).with = with;
}

void subtract(Graph& graph, const Node& node) {
  const auto how = [](double constant, bool map_first, double& factor, double& offset) {
    factor = map_first ? 1 : -1;
    offset = map_first ? -constant : constant;
  };
  if (with_constant(graph, node, "what is taken off", how)) return;
  const auto [a, b] = equal_maps(graph, node);
  const int with = graph.layer_of(node, b);
  put_function(graph, node, "subtract", a, a.dims).with = with;
}

void divide(Graph& graph, const Node& node) {
  const auto how = [](double constant, bool map_first, double& factor, double&) {
    if (!map_first || constant == 0) throw Refused{"maps are divided by constants other than 0 alone"};
    factor = 1 / constant;
  };
  if (!with_constant(graph, node, "what it divides by", how)) throw Refused{"a map is divided by a map"};
}

// Multiplies two maps, one of which may have a single number for each channel.
void multiply(Graph& graph, const Node& node) {
  const auto how = [](double constant, bool, double& factor, double&) { factor = constant; };
  if (with_constant(graph, node, "what it multiplies by", how)) return;
  Value a = graph.map(node, 0), b = graph.map(node, 1);
  const auto of_channels = [](const Value& one, const Value& other) {
    return one.dims.size() == 4 && other.dims.size() == 4 && one.dims == Dims{1, other.dims[1], 1, 1};
  };
  if (a.dims != b.dims && of_channels(a, b)) std::swap(a, b);
  if (a.dims != b.dims && !of_channels(b, a))
    throw Refused{fmt::format("maps of {} and {}", text(a.dims), text(b.dims))};
  const int with = graph.layer_of(node, b);
  put_function(graph, node, "multiply", a, a.dims).with = with;
}

// At the end of a network a softmax is dropped, because it does not change which element is the largest. Elsewhere it
// must read a vector.
void softmax(Graph& graph, const Node& node) {
  const Value in = graph.map(node, 0);
  const std::int64_t extent = *std::max_element(in.dims.begin(), in.dims.end());
  if (product(in.dims) != extent) throw Refused{fmt::format("of a map of {}; vectors are taken", text(in.dims))};
  std::int64_t axis = node.integer("axis", graph.model().opset < 13 ? 1 : -1);
  axis += axis < 0 ? static_cast<std::int64_t>(in.dims.size()) : 0;
  if (axis < 0 || axis >= static_cast<std::int64_t>(in.dims.size()) ||
      (graph.model().opset >= 13 && in.dims[static_cast<std::size_t>(axis)] != extent))
    throw Refused{fmt::format("along axis {} of {}", axis, text(in.dims))};
  if (graph.is_end(node.outputs[0])) {
    graph.note(
        fmt::format("{} ({}) is left to the host: it does not change which output is the largest", node.name, node.op));
    graph.alias(node, in);
    return;
  }
  if (node.op != "Softmax") throw Refused{"it is computed at a network's end alone, by the host"};
  graph.put(node, Type::softmax, in, in.dims);
}

}  // namespace

ImportedLayer& put_function(Graph& graph, const Node& node, const char* function, const Value& in, Dims out) {
  ImportedLayer& layer = graph.put(node, Type::function, in, std::move(out));
  layer.function = function;
  return layer;
}

Operators elementwise_operators() {
  return {{"Relu", relu},
          {"Clip", clip},
          {"Sigmoid", activation},
          {"Tanh", activation},
          {"HardSigmoid", activation},
          {"HardSwish", activation},
          {"LeakyRelu", activation},
          {"PRelu", prelu},
          {"LRN", lrn},
          {"Add", add},
          {"Sub", subtract},
          {"Mul", multiply},
          {"Div", divide},
          {"Softmax", softmax},
          {"LogSoftmax", softmax}};
}

}  // namespace fansim::importer
