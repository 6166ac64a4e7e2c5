// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "importer/operators.h"

namespace fansim::importer {
namespace {

std::int64_t from_end(std::int64_t axis, const Dims& dims) {
  return axis + (axis < 0 ? static_cast<std::int64_t>(dims.size()) : 0);
}

// Reads a list from an attribute or, in later opsets, from an input.
Dims listed(Graph& graph, const Node& node, const char* attribute, std::size_t input, const char* what) {
  if (!graph.has(node, input)) return node.list(attribute, {});
  const Constant& given = graph.constant(node, input, what);
  if (given.floating) throw Refused{fmt::format("{} is of floats", what)};
  return given.integers;
}

// Accepts only the shape that a map already has, a vector, or a vector with trailing ones.
void reshaped(Graph& graph, const Node& node, Value in, const Dims& dims) {
  if (in.sequence) {
    graph.alias(node, in_shape(in, dims));
    return;
  }
  const std::int64_t all = product(in.dims);
  Dims vector{1, all};
  while (vector.size() < dims.size()) vector.push_back(1);
  if (dims != in.dims && dims != vector)
    throw Refused{fmt::format("{} to {}; a map stays as it is, or becomes a vector", text(in.dims), text(dims))};
  in.dims = dims;
  graph.alias(node, in);
}

void flatten(Graph& graph, const Node& node) {
  const Value in = graph.elements(node, 0);
  const std::int64_t axis = from_end(node.integer("axis", 1), in.dims);
  if (axis != 1) throw Refused{fmt::format("it flattens from axis {} on; the first is the batch", axis)};
  reshaped(graph, node, in, {1, product(in.dims)});
}

void reshape(Graph& graph, const Node& node) {
  const Value in = graph.elements(node, 0);
  Dims dims = listed(graph, node, "shape", 1, "its shape");
  resolve_shape(in.dims, dims);
  reshaped(graph, node, in, dims);
}

void squeeze(Graph& graph, const Node& node) {
  const Value in = graph.elements(node, 0);
  const Dims axes = listed(graph, node, "axes", 1, "its axes");
  Dims dims;
  for (std::size_t i = 0; i < in.dims.size(); ++i) {
    const bool named = std::any_of(axes.begin(), axes.end(), [&](std::int64_t axis) {
      return from_end(axis, in.dims) == static_cast<std::int64_t>(i);
    });
    if (in.dims[i] == 1 && (i > 0 || in.sequence) && (axes.empty() || named)) continue;
    if (named) throw Refused{fmt::format("axis {} of {}", i, text(in.dims))};
    dims.push_back(in.dims[i]);
  }
  reshaped(graph, node, in, dims);
}

void unsqueeze(Graph& graph, const Node& node) {
  const Value in = graph.elements(node, 0);
  Dims axes = listed(graph, node, "axes", 1, "its axes"), dims = in.dims;
  const auto last = static_cast<std::int64_t>(in.dims.size() + axes.size());
  for (std::int64_t& axis : axes) axis += axis < 0 ? last : 0;
  std::sort(axes.begin(), axes.end());
  for (const std::int64_t axis : axes) {
    if (axis < (in.sequence ? 0 : 1) || axis > static_cast<std::int64_t>(dims.size()))
      throw Refused{fmt::format("axis {}", axis)};
    dims.insert(dims.begin() + axis, 1);
  }
  reshaped(graph, node, in, dims);
}

void pass(Graph& graph, const Node& node) { graph.alias(node, graph.elements(node, 0)); }

// Accepts a cast to floats of any width, which changes nothing.
void cast(Graph& graph, const Node& node) {
  constexpr std::int64_t kFloat = 1, kFloat16 = 10, kDouble = 11;  // ONNX, TensorProto.DataType
  const std::int64_t to = node.integer("to", kFloat);
  if (to != kFloat && to != kFloat16 && to != kDouble) throw Refused{fmt::format("to elements of type {}", to)};
  pass(graph, node);
}

// Transposes a sequence. Nothing moves if the axes with more than one element keep their order.
void turn_ones(Graph& graph, const Node& node, const Value& in, Dims order) {
  const std::size_t rank = in.dims.size();
  while (order.size() < rank) order.push_back(static_cast<std::int64_t>(rank - 1 - order.size()));
  Dims axes = order, dims, kept;
  std::sort(axes.begin(), axes.end());
  for (std::size_t i = 0; i < rank; ++i) {
    if (order.size() != rank || axes[i] != static_cast<std::int64_t>(i)) throw Refused{"an order that is none"};
    dims.push_back(in.dims[static_cast<std::size_t>(order[i])]);
    if (dims.back() > 1) kept.push_back(order[i]);
  }
  if (!std::is_sorted(kept.begin(), kept.end()))
    throw Refused{
        fmt::format("{} in the order {}; the steps of a sequence stay outermost", text(in.dims), text(order))};
  graph.alias(node, in_shape(in, dims));
}

// Exporters of networks in [N, H, W, C] transpose their input first.
void transpose(Graph& graph, const Node& node) {
  const Value in = graph.elements(node, 0);
  const Dims order = node.list("perm", {});
  Dims same(order.size());
  for (std::size_t i = 0; i < same.size(); ++i) same[i] = static_cast<std::int64_t>(i);
  if (order == same && !order.empty()) {
    graph.alias(node, in);
    return;
  }
  if (in.sequence) {
    turn_ones(graph, node, in, order);
    return;
  }
  if (order != Dims{0, 3, 1, 2} || !graph.turn_input(node))
    throw Refused{
        fmt::format("{} in the order {}; only an input of [N, H, W, C] is turned", text(in.dims), text(order))};
}

void pad(Graph& graph, const Node& node) {
  Value in = graph.map(node, 0);
  const Dims pads = listed(graph, node, "pads", 1, "its pads");
  const double value =
      graph.has(node, 2) ? static_cast<double>(graph.floats(node, 2, "its value", 1)[0]) : node.number("value", 0);
  if (node.word("mode", "constant") != "constant" || value != 0) throw Refused{"maps are padded with zeros alone"};
  if (in.dims.size() != 4 || pads.size() != 8) throw Refused{fmt::format("{} pads of {}", pads.size(), text(in.dims))};
  if (pads[0] != 0 || pads[1] != 0 || pads[4] != 0 || pads[5] != 0) throw Refused{"channels are added to it"};
  in.pads = {pads[2], pads[3], pads[6], pads[7]};
  for (const std::int64_t each : in.pads)
    if (each < 0 || each > kLargestExtent) throw Refused{fmt::format("a pad of {}", each)};
  graph.alias(node, in);
}

// Joins maps two at a time.
void concat(Graph& graph, const Node& node) {
  Value all = graph.map(node, 0);
  if (from_end(node.integer("axis", 1), all.dims) != 1) throw Refused{"it joins along another axis than the channels"};
  const std::optional<Codes> first = graph.codes_of(all);
  for (std::size_t i = 1; i < node.inputs.size(); ++i) {
    const Value next = graph.map(node, i);
    Dims dims = all.dims;
    if (dims.size() != next.dims.size() || dims.size() < 2) throw Refused{"maps of different dimensions"};
    dims[1] = next.dims[1];
    if (dims != next.dims) throw Refused{fmt::format("maps of {} and {}", text(all.dims), text(next.dims))};
    dims[1] = all.dims[1] + next.dims[1];
    if (all.coded != next.coded) throw Refused{"codes and floats"};
    if (all.coded && first != graph.codes_of(next)) throw Refused{"codes of several formats"};
    Node part = node;
    if (i + 1 < node.inputs.size()) part.name += fmt::format("_{}", i);
    const int with = graph.layer_of(part, next);
    put_function(graph, part, "concat", all, dims).with = with;
    all = graph.made(part);
  }
  if (node.inputs.size() == 1) graph.alias(node, all);
}

void put_slice(Graph& graph, const Node& node, const Value& in, std::int64_t first, std::int64_t count) {
  if (count < 1 || first < 0 || first > in.dims[1] || count > in.dims[1] - first)
    throw Refused{fmt::format("{} channels from {} on, of {}", count, first, in.dims[1])};
  Dims out = in.dims;
  out[1] = count;
  put_function(graph, node, "slice", in, out).numbers = {{"first", static_cast<double>(first)},
                                                         {"channels", static_cast<double>(count)}};
}

void split(Graph& graph, const Node& node) {
  const Value in = graph.map(node, 0);
  if (from_end(node.integer("axis", 0), in.dims) != 1) throw Refused{"it splits along another axis than the channels"};
  Dims parts = listed(graph, node, "split", 1, "its parts");
  const auto count = static_cast<std::int64_t>(node.outputs.size());
  if (parts.empty()) parts.assign(node.outputs.size(), in.dims[1] / count);
  if (static_cast<std::int64_t>(parts.size()) != count) throw Refused{fmt::format("{} parts", parts.size())};
  std::int64_t first = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Node part = node;
    part.outputs = {node.outputs[i]};
    part.name += fmt::format("_{}", i);
    if (!node.outputs[i].empty() && graph.is_read(node.outputs[i])) put_slice(graph, part, in, first, parts[i]);
    first += std::clamp<std::int64_t>(parts[i], 0, in.dims[1]);
  }
}

// Takes one step of a sequence.
void slice_step(Graph& graph, const Node& node, const Value& in, const Dims& starts, const Dims& ends, const Dims& axes,
                const Dims& steps) {
  const auto rank = static_cast<std::int64_t>(in.dims.size());
  const std::int64_t axis = axes.size() == 1 ? from_end(axes[0], in.dims) : -1;
  if (starts.size() != 1 || ends.size() != 1 || axis < 0 || axis >= rank || steps != Dims{1})
    throw Refused{"other than a step of a sequence"};
  const std::int64_t extent = in.dims[static_cast<std::size_t>(axis)];
  const auto place = [&](std::int64_t at) { return std::clamp<std::int64_t>(at < 0 ? at + extent : at, 0, extent); };
  const std::int64_t first = place(starts[0]);
  if (place(ends[0]) - first == extent) {
    graph.alias(node, in);
    return;
  }
  if (place(ends[0]) - first != 1) throw Refused{"several steps of a sequence; one is taken"};
  Dims out = in.dims;
  out[static_cast<std::size_t>(axis)] = 1;
  take_step(graph, node, in, static_cast<std::size_t>(axis), first, out);
}

void slice(Graph& graph, const Node& node) {
  const Value in = graph.elements(node, 0);
  const Dims starts = listed(graph, node, "starts", 1, "its start"), ends = listed(graph, node, "ends", 2, "its end"),
             axes = listed(graph, node, "axes", 3, "its axis");
  const Dims steps = graph.has(node, 4) ? graph.constant(node, 4, "its step").integers : Dims{1};
  if (in.sequence) {
    slice_step(graph, node, in, starts, ends, axes, steps);
    return;
  }
  if (starts.size() != 1 || ends.size() != 1 || axes.size() != 1 || from_end(axes[0], in.dims) != 1 || steps != Dims{1})
    throw Refused{"other than neighbouring channels"};
  const std::int64_t channels = in.dims[1];
  const auto place = [&](std::int64_t at) {
    return std::clamp<std::int64_t>(at < 0 ? at + channels : at, 0, channels);
  };
  put_slice(graph, node, in, place(starts[0]), place(ends[0]) - place(starts[0]));
}

// Returns the whole factors by which height and width grow.
std::array<std::int64_t, 2> factors_of(Graph& graph, const Node& node, const Dims& map) {
  constexpr std::int64_t kMost = 1024;
  const std::size_t scales_at = node.op == "Resize" && graph.model().opset >= 11 ? 2 : 1;
  std::array<std::int64_t, 2> factors{};
  if (graph.has(node, scales_at) && graph.constant(node, scales_at, "its scale").size() > 0) {
    const auto& scales = graph.floats(node, scales_at, "its scale", 4);
    for (std::size_t axis = 0; axis < 2; ++axis) {
      const float scale = scales[2 + axis];
      if (scales[axis] != 1 || !(scale >= 1) || scale > static_cast<float>(kMost) || scale != std::floor(scale))
        throw Refused{"other than enlarging height and width a whole number of times"};
      factors[axis] = static_cast<std::int64_t>(scale);
    }
    return factors;
  }
  const Dims sizes = listed(graph, node, "sizes", 3, "its size");
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const std::int64_t from = map[2 + axis];
    if (sizes.size() != 4 || sizes[0] != 1 || sizes[1] != map[1] || sizes[2 + axis] < 1 ||
        sizes[2 + axis] > kLargestExtent || sizes[2 + axis] % from != 0 || sizes[2 + axis] / from > kMost)
      throw Refused{"other sizes than multiples of its input's"};
    factors[axis] = sizes[2 + axis] / from;
  }
  return factors;
}

// Returns what the network's `bilinear` calls this mode; null: it has no such mode.
const char* corners_of(Graph& graph, const Node& node) {
  static const std::map<std::string, const char*> kCorners{{"half_pixel", "half_pixel"},
                                                           {"pytorch_half_pixel", "half_pixel"},
                                                           {"asymmetric", "asymmetric"},
                                                           {"align_corners", "align"}};
  if (node.op == "Upsample" || graph.model().opset < 11) return "asymmetric";
  const auto found = kCorners.find(node.word("coordinate_transformation_mode", "half_pixel"));
  return found == kCorners.end() ? nullptr : found->second;
}

void resize(Graph& graph, const Node& node) {
  const Value in = graph.map(node, 0);
  if (in.dims.size() != 4) throw Refused{fmt::format("its input has {} dimensions", in.dims.size())};
  const auto [down, across] = factors_of(graph, node, in.dims);
  const std::string mode = node.word("mode", "nearest"), which = node.word("nearest_mode", "round_prefer_floor");
  const char* corners = corners_of(graph, node);
  const bool asymmetric = corners && corners == std::string("asymmetric"),
             half_pixel = corners && corners == std::string("half_pixel");
  const bool floors = node.op == "Upsample" || graph.model().opset < 11 || (asymmetric && which == "floor") ||
                      (half_pixel && which == "round_prefer_floor") ||
                      (asymmetric && which == "round_prefer_floor" && std::max(down, across) <= 2);
  const bool linear = mode == "linear" && corners;
  if (linear && in.coded) throw Refused{"its input is of codes"};
  if (!linear && (mode != "nearest" || !floors)) throw Refused{"other than repeating elements or lines between them"};
  ImportedLayer& layer = put_function(graph, node, linear ? "bilinear" : "resize", in,
                                      {1, in.dims[1], in.dims[2] * down, in.dims[3] * across});
  layer.lists = {{"factor", {static_cast<double>(down), static_cast<double>(across)}}};
  if (linear) layer.words = {{"corners", corners}};
}

}  // namespace

Operators shape_operators() {
  return {{"Flatten", flatten}, {"Reshape", reshape}, {"Squeeze", squeeze}, {"Unsqueeze", unsqueeze},
          {"Identity", pass},   {"Dropout", pass},    {"Cast", cast},       {"Transpose", transpose},
          {"Pad", pad},         {"Concat", concat},   {"Split", split},     {"Slice", slice},
          {"Resize", resize},   {"Upsample", resize}};
}

}  // namespace fansim::importer
