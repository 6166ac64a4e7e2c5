// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "importer/operators.h"
#include "importer/windows.h"

namespace fansim::importer {
namespace {

using Type = ImportedLayer::Type;

constexpr std::int64_t kMostWeights = std::int64_t{1} << 31;
constexpr std::int64_t kMostInSquares = std::int64_t{1} << 26;  // most of them zeros; a small file makes 256 MiB at
                                                                // most

// Places the taps of each plane, rows x columns, in the square window; the rest of the window is zeros.
std::vector<float> in_square(const std::vector<float>& taps, std::int64_t planes, const Window& w) {
  const auto square = static_cast<std::size_t>(w.kernel), rows = static_cast<std::size_t>(w.rows),
             columns = static_cast<std::size_t>(w.columns);
  if (rows == square && columns == square) return taps;
  std::vector<float> all(static_cast<std::size_t>(planes) * square * square);
  for (std::size_t plane = 0; plane < static_cast<std::size_t>(planes); ++plane)
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t column = 0; column < columns; ++column)
        all[(plane * square + row * static_cast<std::size_t>(w.row_step)) * square +
            column * static_cast<std::size_t>(w.column_step)] = taps[(plane * rows + row) * columns + column];
  return all;
}

void take(ImportedLayer& layer, const Window& w) {
  layer.kernel = w.kernel;
  layer.stride = w.stride;
  layer.padding = w.padding;
}

void put_convolution(Graph& graph, const Node& node, const Value& in, const Window& w, std::int64_t groups,
                     const Dims& dims, const std::vector<float>& taps, const std::vector<float>& bias,
                     const std::vector<float>& steps) {
  const std::int64_t outputs = dims[0], planes = outputs * dims[1];
  const std::int64_t held = planes * w.kernel * w.kernel;
  if (held >= kMostWeights) throw Refused{"more than 2^31 weights"};
  if (!w.is_square() && held > kMostInSquares)
    throw Refused{
        fmt::format("{} x {} taps in windows of {} x {}: {} weights", w.rows, w.columns, w.kernel, w.kernel, held)};
  std::vector<float> weights = in_square(taps, planes, w);
  const std::size_t products = weights.size(), before = taps.size();
  const auto dims_of = [&](std::int64_t height, std::int64_t width) {
    return in.dims.size() == 3 ? Dims{1, outputs, width} : Dims{1, outputs, height, width};
  };
  ImportedLayer& layer = graph.put(node, Type::conv, in, dims_of(w.height, w.width));
  take(layer, w);
  layer.outputs = static_cast<int>(outputs);
  layer.groups = static_cast<int>(groups);
  layer.weight_dims = {outputs, dims[1], w.kernel, w.kernel};
  layer.weights = std::move(weights);
  layer.bias = bias;
  if (steps.size() == 1 || static_cast<std::int64_t>(steps.size()) == outputs) layer.weight_steps = steps;
  if (products != before)
    graph.note(
        fmt::format("{}: {} x {} taps lie in a window of {} x {}, zeros between or beside them: {:.3g} times the "
                    "products",
                    layer.name, w.rows, w.columns, w.kernel, w.kernel,
                    static_cast<double>(products) / static_cast<double>(before)));
  if (w.taken == RowsColumns{1, 1}) return;
  const auto [down, across] = w.taken;
  graph.note(fmt::format("{}: strides of {} x {}; it computes with {}, and the host takes a result of {}", layer.name,
                         w.stride * down, w.stride * across, w.stride, down * across));
  const Value dense = graph.made(node);
  Node taken = node;
  taken.name += "_taken";
  ImportedLayer& some =
      put_windows(graph, taken, "window_max", dense, dims_of((w.height - 1) / down + 1, (w.width - 1) / across + 1),
                  {1, 1}, w.taken, {});
  some.takes_some = true;
}

void check_groups(const Value& in, std::int64_t groups, const Dims& dims, std::int64_t inputs, std::int64_t outputs) {
  if (groups < 1 || groups > in.dims[1] || in.dims[1] % groups != 0 || in.dims[1] != inputs || outputs < 1 ||
      outputs % groups != 0)
    throw Refused{fmt::format("a weight of {} for {} channels in {} groups", text(dims), in.dims[1], groups)};
}

// Returns dims [M, C / groups, rows, columns]; weights of one dimension get one row.
Dims four(const Dims& dims) {
  if (dims.size() == 3) return {dims[0], dims[1], 1, dims[2]};
  if (dims.size() != 4) throw Refused{fmt::format("its weight has {} dimensions; taken are 3 and 4", dims.size())};
  return dims;
}

std::vector<float> bias_of(Graph& graph, const Node& node, std::int64_t outputs) {
  return graph.has(node, 2) ? graph.floats(node, 2, "its bias", outputs) : std::vector<float>{};
}

void convolution(Graph& graph, const Node& node) {
  const Value in = graph.padded_map(node, 0);
  if (in.coded) throw Refused{"its input is of codes"};
  const Constant& weight = graph.constant(node, 1, "its weight");
  convolve(graph, node, in, weight, bias_of(graph, node, weight.dims.empty() ? 0 : weight.dims[0]));
}

// Notes that the steps of a node's weights are lost.
std::vector<float> no_steps(Graph& graph, const Node& node) {
  graph.note(fmt::format("{}: no output has all its weights in one step; their codes are fitted anew", node.name));
  return {};
}

// Returns the steps of a weight whose outputs lie along `axis`: one for all, or one for each.
std::vector<float> steps_of(Graph& graph, const Node& node, const Constant& weight, std::size_t axis) {
  return weight.steps.size() <= 1 || weight.axis == axis ? weight.steps : no_steps(graph, node);
}

// The same of a transposed convolution, whose weights are [inputs, outputs of a group, rows, columns].
std::vector<float> turned_steps(Graph& graph, const Node& node, const Constant& weight, std::size_t groups) {
  if (weight.steps.size() <= 1) return weight.steps;
  const auto inputs = static_cast<std::size_t>(weight.dims[0]), each = static_cast<std::size_t>(weight.dims[1]);
  const bool by_output = weight.axis == 1, by_group = weight.axis == 0 && inputs == groups;
  if (!by_output && !by_group) return no_steps(graph, node);
  std::vector<float> steps;
  for (std::size_t group = 0; group < groups; ++group)
    for (std::size_t output = 0; output < each; ++output) steps.push_back(weight.steps[by_output ? output : group]);
  return steps;
}

// Rotates the kernels of a transposed convolution. `dims` are those of a convolution's weights.
std::vector<float> turned_taps(const std::vector<float>& given, const Dims& from, const Dims& dims) {
  std::vector<float> taps(given.size());
  const auto at = [](const Dims& d, std::int64_t a, std::int64_t b, std::int64_t r, std::int64_t c) {
    return static_cast<std::size_t>(((a * d[1] + b) * d[2] + r) * d[3] + c);
  };
  for (std::int64_t input = 0; input < from[0]; ++input)
    for (std::int64_t output = 0; output < from[1]; ++output)
      for (std::int64_t row = 0; row < from[2]; ++row)
        for (std::int64_t column = 0; column < from[3]; ++column)
          taps[at(dims, input / dims[1] * from[1] + output, input % dims[1], from[2] - 1 - row, from[3] - 1 - column)] =
              given[at(from, input, output, row, column)];
  return taps;
}

// Converts a transposed convolution to a convolution, with the rotated kernel, over the map with zeros between its
// elements.
void transposed(Graph& graph, const Node& node) {
  const Value in = graph.map(node, 0);
  const Constant& weight = graph.constant(node, 1, "its weight");
  if (weight.dims.size() != 4 || in.dims.size() != 4) throw Refused{"maps of [N, C, H, W] are taken"};
  const std::int64_t groups = node.integer("group", 1);
  const std::int64_t inputs = weight.dims[0], each = weight.dims[1], rows = weight.dims[2], columns = weight.dims[3];
  check_groups(in, groups, weight.dims, inputs, groups < 1 || groups > in.dims[1] ? 0 : each * groups);
  const std::vector<float>& given = graph.floats(node, 1, "its weight", product(weight.dims));
  if (node.lists.count("output_shape") > 0 || node.word("auto_pad", "NOTSET") != "NOTSET")
    throw Refused{"its padding follows from a shape; pads are taken"};
  const Turned turned = turned_of(node, in.dims, {rows, columns});
  const Dims dims{each * groups, inputs / groups, rows, columns};
  Value wide = in;
  if (turned.stretch != RowsColumns{1, 1}) {
    Node between = node;
    between.name += "_stretch";
    put_function(graph, between, "stretch", in, {1, in.dims[1], turned.height, turned.width}).lists["factor"] = {
        static_cast<double>(turned.stretch[0]), static_cast<double>(turned.stretch[1])};
    wide = graph.made(between);
  }
  put_convolution(graph, node, wide, turned.window, groups, dims, turned_taps(given, weight.dims, dims),
                  bias_of(graph, node, dims[0]), turned_steps(graph, node, weight, static_cast<std::size_t>(groups)));
}

// Flattens a map in the order in which fc reads it: channel by channel, row by row.
std::int64_t flat(const Value& in) {
  if (in.dims.empty() || in.dims[0] != 1) throw Refused{"its input is no batch of one"};
  return product(in.dims);
}

void fully_connected(Graph& graph, const Node& node, const Value& in, const Constant& weights, bool transposed_weights,
                     double factor, std::vector<float> bias) {
  const std::int64_t inputs = weights.dims[transposed_weights ? 1 : 0],
                     units = weights.dims[transposed_weights ? 0 : 1];
  const std::vector<float>& given = weights.floats;
  if (static_cast<std::int64_t>(given.size()) != inputs * units) throw Refused{"its weight is not of floats"};
  ImportedLayer& layer = graph.put(node, Type::fc, in, {1, units});
  layer.outputs = static_cast<int>(units);
  layer.bias = std::move(bias);
  layer.weight_dims = {units, inputs};
  if (factor > 0) layer.weight_steps = steps_of(graph, node, weights, transposed_weights ? 0 : 1);
  for (float& step : layer.weight_steps) step = static_cast<float>(factor * static_cast<double>(step));
  layer.weights.resize(given.size());
  for (std::int64_t unit = 0; unit < units; ++unit)
    for (std::int64_t i = 0; i < inputs; ++i)
      layer.weights[static_cast<std::size_t>(unit * inputs + i)] = static_cast<float>(
          factor * static_cast<double>(
                       given[static_cast<std::size_t>(transposed_weights ? unit * inputs + i : i * units + unit)]));
}

void check_matrix(const Constant& weights, const Value& in, bool transposed_weights) {
  if (in.dims.size() != 2) throw Refused{fmt::format("its input has {} dimensions; a vector is taken", in.dims.size())};
  if (weights.dims.size() != 2) throw Refused{fmt::format("its weight has {} dimensions", weights.dims.size())};
  if (weights.dims[transposed_weights ? 1 : 0] != flat(in))
    throw Refused{fmt::format("a weight of {} for {} inputs", text(weights.dims), flat(in))};
}

void gemm(Graph& graph, const Node& node) {
  const Value in = graph.map(node, 0);
  if (node.integer("transA", 0) != 0) throw Refused{"its first matrix is transposed"};
  const bool transposed_weights = node.integer("transB", 0) != 0;
  const Constant& weights = graph.constant(node, 1, "its weight");
  check_matrix(weights, in, transposed_weights);
  std::vector<float> bias;
  if (graph.has(node, 2)) {
    const std::int64_t units = weights.dims[transposed_weights ? 0 : 1];
    const Constant& given = graph.constant(node, 2, "its bias");
    const double beta = node.number("beta", 1);
    if (given.floats.size() == 1 && !weights.floats.empty())
      bias.assign(static_cast<std::size_t>(units), given.floats[0]);
    if (bias.empty()) bias = graph.floats(node, 2, "its bias", units);
    for (float& value : bias) value = static_cast<float>(beta * static_cast<double>(value));
  }
  fully_connected(graph, node, in, weights, transposed_weights, node.number("alpha", 1), std::move(bias));
}

void matmul(Graph& graph, const Node& node) {
  const Value in = graph.map(node, 0);
  multiply_by(graph, node, in, graph.constant(node, 1, "its second matrix"));
}

void batch_normalization(Graph& graph, const Node& node) {
  const Value in = graph.map(node, 0);
  if (in.dims.size() < 2) throw Refused{"its input has no channels"};
  if (node.integer("training_mode", 0) != 0 || (graph.model().opset < 7 && node.integer("is_test", 0) == 0))
    throw Refused{"it is in training mode"};
  const std::int64_t channels = in.dims[1];
  const auto& scale = graph.floats(node, 1, "its scale", channels);
  const auto& bias = graph.floats(node, 2, "its bias", channels);
  const auto& mean = graph.floats(node, 3, "its mean", channels);
  const auto& variance = graph.floats(node, 4, "its variance", channels);
  const double epsilon = node.number("epsilon", 1e-5);
  std::vector<double> factor, offset;
  for (std::size_t c = 0; c < scale.size(); ++c) {
    const double deviation = std::sqrt(static_cast<double>(variance[c]) + epsilon);
    if (!(deviation > 0)) throw Refused{"a variance that is not positive"};
    factor.push_back(static_cast<double>(scale[c]) / deviation);
    offset.push_back(static_cast<double>(bias[c]) - static_cast<double>(mean[c]) * factor.back());
  }
  affine(graph, node, in, factor, offset);
}

// Scales the steps of weights that were scaled by the factors: the integers take the signs. A factor of 0 leaves the
// step. There are no steps if an integer becomes 128, or a step is too small for a float.
void scale_steps(Graph& graph, const Node& node, ImportedLayer& layer, const std::vector<double>& factor) {
  if (layer.weight_steps.empty()) return;
  std::vector<float> steps;
  bool whole = true;
  const std::size_t each = layer.weights.size() / factor.size();
  for (std::size_t c = 0; c < factor.size(); ++c) {
    const auto step = static_cast<double>(layer.weight_steps[layer.weight_steps.size() == 1 ? 0 : c]);
    steps.push_back(static_cast<float>(factor[c] == 0 ? step : step * std::abs(factor[c])));
    const auto first = layer.weights.begin() + static_cast<std::ptrdiff_t>(c * each);
    const float most = *std::max_element(first, first + static_cast<std::ptrdiff_t>(each));
    whole = whole && std::isnormal(steps[c]) && most < 127.5F * steps[c];
  }
  const bool one = std::all_of(steps.begin(), steps.end(), [&](float step) { return step == steps[0]; });
  if (one) steps.resize(1);
  layer.weight_steps = whole ? steps : no_steps(graph, node);
}

void fold(Graph& graph, const Node& node, ImportedLayer& layer, const std::vector<double>& factor,
          const std::vector<double>& offset) {
  const auto outputs = static_cast<std::size_t>(layer.outputs);
  if (layer.bias.empty()) layer.bias.assign(outputs, 0);
  const std::size_t each = layer.weights.size() / outputs;
  for (std::size_t c = 0; c < outputs; ++c) {
    for (std::size_t i = 0; i < each; ++i) {
      float& weight = layer.weights[c * each + i];
      weight = static_cast<float>(static_cast<double>(weight) * factor[c]);
    }
    layer.bias[c] = static_cast<float>(static_cast<double>(layer.bias[c]) * factor[c] + offset[c]);
  }
  scale_steps(graph, node, layer, factor);
}

}  // namespace

void convolve(Graph& graph, const Node& node, const Value& in, const Constant& weight, const std::vector<float>& bias) {
  if (in.sequence) throw Refused{"its input is a sequence"};
  if (weight.dims.size() != in.dims.size())
    throw Refused{fmt::format("a weight of {} for a map of {}", text(weight.dims), text(in.dims))};
  const Dims dims = four(weight.dims);
  const std::int64_t groups = node.integer("group", 1);
  check_groups(in, groups, dims, groups < 1 || groups > in.dims[1] ? 0 : dims[1] * groups, dims[0]);
  if (static_cast<std::int64_t>(weight.floats.size()) != product(dims)) throw Refused{"its weight is not of floats"};
  const Window w = window_of(taps_of(node, in.dims, {dims[2], dims[3]}, in.pads));
  put_convolution(graph, node, in, w, groups, dims, weight.floats, bias, steps_of(graph, node, weight, 0));
}

void multiply_by(Graph& graph, const Node& node, const Value& in, const Constant& weight) {
  if (in.sequence) throw Refused{"its input is a sequence"};
  check_matrix(weight, in, false);
  fully_connected(graph, node, in, weight, false, 1, {});
}

void affine(Graph& graph, const Node& node, const Value& in, const std::vector<double>& factor,
            const std::vector<double>& offset) {
  ImportedLayer* before = graph.only_read(node);
  const bool weighted =
      before && (before->type == Type::conv || before->type == Type::fc) && !before->relu && !before->codes;
  if (weighted && static_cast<std::size_t>(before->outputs) == factor.size()) {
    fold(graph, node, *before, factor, offset);
    graph.alias(node, in);
    return;
  }
  if (in.dims.size() < 2 || static_cast<std::size_t>(in.dims[1]) != factor.size())
    throw Refused{fmt::format("{} factors for a map of {}", factor.size(), text(in.dims))};
  ImportedLayer& layer = graph.put(node, Type::conv, in, in.dims);  // each channel by itself
  layer.outputs = layer.groups = static_cast<int>(factor.size());
  layer.weight_dims = {in.dims[1], 1, 1, 1};
  for (const double value : factor) layer.weights.push_back(static_cast<float>(value));
  for (const double value : offset) layer.bias.push_back(static_cast<float>(value));
}

Operators weighted_operators() {
  return {{"Conv", convolution},
          {"ConvTranspose", transposed},
          {"Gemm", gemm},
          {"MatMul", matmul},
          {"BatchNormalization", batch_normalization}};
}

}  // namespace fansim::importer
