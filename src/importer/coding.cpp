// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "importer/operators.h"

namespace fansim::importer {
namespace {

// Returns the codes that the node states for a map: one step and one zero point.
Codes told(Graph& graph, const Node& node) {
  const std::vector<float>& step = graph.floats(node, 1, "its scale", 1);
  Codes codes{step[0], 0, false};
  if (!(codes.step > 0)) throw Refused{"a scale that is not positive"};
  if (!graph.has(node, 2)) return codes;
  const Constant& zero = graph.constant(node, 2, "its zero point");
  if (!zero.is_byte || zero.size() != 1) throw Refused{"its codes are not of int8 or uint8"};
  codes.zero_point = static_cast<int>(zero.integers[0]);
  codes.is_signed = zero.is_signed;
  return codes;
}

void quantise(Graph& graph, const Node& node) {
  const Codes codes = told(graph, node);
  Value in = rescaled(graph, node, graph.elements(node, 0), codes);
  graph.give_codes(in, codes);
  in.coded = true;
  graph.alias(node, in);
}

// Converts integers to floats. If `scale` is a list, it applies along `axis`.
Constant floats_of(const Constant& codes, const Constant& scale, const Constant* zero, std::int64_t axis) {
  if (codes.floating) throw Refused{"its input is of floats"};
  const auto narrow = [](std::int64_t value) { return value >= INT32_MIN && value <= INT32_MAX; };
  if (!std::all_of(codes.integers.begin(), codes.integers.end(), narrow)) throw Refused{"codes of more than 32 bits"};
  const auto rank = static_cast<std::int64_t>(codes.dims.size());
  axis += axis < 0 ? rank : 0;
  if (scale.floats.empty() || (zero && zero->integers.size() != scale.floats.size()))
    throw Refused{"scales and zero points that do not meet"};
  if (zero && !std::all_of(zero->integers.begin(), zero->integers.end(), narrow))
    throw Refused{"a zero point of more than 32 bits"};
  std::size_t each = 1, extent = 1;
  if (scale.floats.size() > 1) {
    if (axis < 0 || axis >= rank ||
        codes.dims[static_cast<std::size_t>(axis)] != static_cast<std::int64_t>(scale.size()))
      throw Refused{fmt::format("{} scales along axis {} of {}", scale.size(), axis, text(codes.dims))};
    extent = scale.size();
    for (std::int64_t i = axis + 1; i < rank; ++i)
      each *= static_cast<std::size_t>(codes.dims[static_cast<std::size_t>(i)]);
  }
  Constant floats{codes.dims, true, {}, {}};
  for (std::size_t i = 0; i < codes.integers.size(); ++i) {
    const std::size_t part = i / each % extent;
    const std::int64_t value = codes.integers[i] - (zero ? zero->integers[part] : 0);
    floats.floats.push_back(static_cast<float>(static_cast<double>(value) * static_cast<double>(scale.floats[part])));
    if (codes.is_byte && (value < -128 || value > 127))
      throw Refused{"weights of more than 8 bits about their zero point"};
  }
  if (codes.is_byte) {
    floats.steps = scale.floats;
    floats.axis = static_cast<std::size_t>(extent > 1 ? axis : 0);
  }
  return floats;
}

Constant dequantised(Graph& graph, const Node& node, const Constant& codes) {
  const Constant* zero = graph.has(node, 2) ? &graph.constant(node, 2, "its zero point") : nullptr;
  return floats_of(codes, graph.constant(node, 1, "its scale"), zero, node.integer("axis", 1));
}

void dequantise(Graph& graph, const Node& node) {
  if (!graph.is_map(node, 0)) {
    graph.keep(node, dequantised(graph, node, graph.constant(node, 0, "its input")));
    return;
  }
  Value in = graph.padded_map(node, 0);
  if (!in.coded) throw Refused{"its input is of floats"};
  if (!in.dynamic) {
    const auto known = graph.codes_of(in);
    Codes codes = told(graph, node);
    if (!graph.has(node, 2)) codes.is_signed = known ? known->is_signed : graph.input_is_signed();
    graph.give_codes(in, codes);
    in.rounded = true;
  }
  in.coded = in.dynamic = false;
  graph.alias(node, in);
}

// Holds a map whose integers a node reads. The network keeps the floats that the integers stand for, so weights are
// divided by the step.
struct Integers {
  Value in;
  double step = 1;
};
Integers integers_of(Graph& graph, const Node& node) {
  Value in = graph.padded_map(node, 0);
  if (!in.coded) throw Refused{"its input is of floats"};
  Integers integers{in, 1};
  integers.in.coded = integers.in.dynamic = false;
  if (in.dynamic) return integers;
  Codes codes{1, 0, graph.input_is_signed()};
  if (graph.has(node, 2)) {
    const Constant& zero = graph.constant(node, 2, "its zero point");
    if (!zero.is_byte || zero.size() != 1) throw Refused{"its zero point is no number of int8 or uint8"};
    codes.zero_point = static_cast<int>(zero.integers[0]);
    codes.is_signed = zero.is_signed;
  }
  if (const auto given = graph.codes_of(in)) {
    if (given->zero_point != codes.zero_point)
      throw Refused{fmt::format("its zero point is {}, that of its codes {}", codes.zero_point, given->zero_point)};
    integers.step = static_cast<double>(given->step);
  } else {
    graph.give_codes(in, codes);
  }
  return integers;
}

// Converts int8 or uint8 weights to floats. The zero point is a single number, or one for each index of `axis`.
Constant integer_weights(Graph& graph, const Node& node, std::size_t axis, double in_step) {
  const Constant& codes = graph.constant(node, 1, "its weight");
  if (!codes.is_byte || codes.dims.size() < 2) throw Refused{"its weight is no tensor of int8 or uint8"};
  Constant scale{{}, true, {static_cast<float>(1 / in_step)}, {}}, zero{{}, false, {}, {0}};
  if (graph.has(node, 3)) zero = graph.constant(node, 3, "its weight's zero point");
  scale.floats.assign(std::max<std::size_t>(zero.integers.size(), 1), scale.floats[0]);
  return floats_of(codes, scale, &zero, static_cast<std::int64_t>(axis));
}

void conv_integer(Graph& graph, const Node& node) {
  const Integers integers = integers_of(graph, node);
  convolve(graph, node, integers.in, integer_weights(graph, node, 0, integers.step), {});
}

void matmul_integer(Graph& graph, const Node& node) {
  const Integers integers = integers_of(graph, node);
  multiply_by(graph, node, integers.in, integer_weights(graph, node, 1, integers.step));
}

// The node's step follows each input, but a network's step is fixed. So the values stay floats until calibration gives
// them a format.
void quantise_dynamically(Graph& graph, const Node& node) {
  if (node.outputs.size() != 3) throw Refused{fmt::format("{} outputs", node.outputs.size())};
  Value in = graph.elements(node, 0);
  in.coded = in.dynamic = true;
  Node part = node;
  graph.alias(node, in);
  part.outputs = {node.outputs[1]};
  graph.keep(part, {{}, true, {1}, {}});
  part.outputs = {node.outputs[2]};
  Constant zero{{}, false, {}, {0}};
  zero.is_byte = true;
  graph.keep(part, zero);
  graph.note(fmt::format("{}: steps that follow each input's range; here one for all, by calibration", node.name));
}

// Clips a map in other codes to the range of these.
Value clipped(Graph& graph, const Node& node, const Value& in, const Codes& codes) {
  constexpr double kMost = 1e6;  // the largest number in a network file
  const double step = static_cast<double>(codes.step);
  const int lowest = codes.is_signed ? -128 : 0;
  const double low = (lowest - codes.zero_point) * step, high = (lowest + 255 - codes.zero_point) * step;
  if (std::max(-low, high) > kMost) throw Refused{fmt::format("codes that reach from {} to {}", low, high)};
  Node clip = node;
  clip.name += "_codes";
  put_function(graph, clip, "clip", in, in.dims).numbers = {{"low", low}, {"high", high}};
  return graph.made(clip);
}

}  // namespace

std::optional<Codes> codes_wanted(Graph& graph, const Node& node) {
  const Node* reader = graph.quantised_by(node);
  return reader ? std::optional<Codes>(told(graph, *reader)) : std::nullopt;
}

Value rescaled(Graph& graph, const Node& node, const Value& in, const Codes& codes) {
  if (in.layer >= 0 && graph.made_by(in).is_recurrent())
    return clipped(graph, node, in, codes);  // its output is
                                             // always Q0.7
  const std::optional<Codes> known = graph.codes_of(in);
  if (!known || *known == codes) return in;
  if (graph.has_own_codes(in)) return in.rounded ? clipped(graph, node, in, codes) : in;
  ImportedLayer& layer = graph.made_by(in);
  if (layer.type != ImportedLayer::Type::avgpool) return clipped(graph, node, in, codes);
  // An average in other codes becomes window_mean, which rounds only once.
  const auto both = [](int value) {
    return std::vector<double>{static_cast<double>(value), static_cast<double>(value)};
  };
  layer.type = ImportedLayer::Type::function;
  layer.function = "window_mean";
  layer.lists = {{"kernel", both(layer.kernel)},
                 {"stride", both(layer.stride)},
                 {"padding", {layer.padding.begin(), layer.padding.end()}}};
  layer.words = {{"count_padding", "true"}};
  if (layer.ceil_mode) layer.words["ceil_mode"] = "true";
  return in;
}

Operators code_operators() {
  return {{"QuantizeLinear", quantise},
          {"DequantizeLinear", dequantise},
          {"ConvInteger", conv_integer},
          {"MatMulInteger", matmul_integer},
          {"DynamicQuantizeLinear", quantise_dynamically}};
}

}  // namespace fansim::importer
