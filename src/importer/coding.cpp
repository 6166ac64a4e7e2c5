// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "importer/operators.h"
#include "importer/separate.h"

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

// Says which scale and zero point each element of a constant has: the only one, or that of its index of `axis`.
class Parts {
 public:
  Parts(const Dims& dims, const Constant& scale, const Constant* zero, std::int64_t axis) {
    const auto rank = static_cast<std::int64_t>(dims.size());
    axis += axis < 0 ? rank : 0;
    if (scale.floats.empty() || (zero && zero->integers.size() != scale.floats.size()))
      throw Refused{"scales and zero points that do not meet"};
    if (scale.floats.size() == 1) return;
    if (axis < 0 || axis >= rank || dims[static_cast<std::size_t>(axis)] != static_cast<std::int64_t>(scale.size()))
      throw Refused{fmt::format("{} scales along axis {} of {}", scale.size(), axis, text(dims))};
    extent_ = scale.size();
    axis_ = static_cast<std::size_t>(axis);
    for (std::size_t i = axis_ + 1; i < dims.size(); ++i) each_ *= static_cast<std::size_t>(dims[i]);
  }
  std::size_t of(std::size_t element) const { return element / each_ % extent_; }
  std::size_t axis() const { return axis_; }

 private:
  std::size_t each_ = 1, extent_ = 1, axis_ = 0;
};

// Converts integers to floats. If `scale` is a list, it applies along `axis`.
Constant floats_of(const Constant& codes, const Constant& scale, const Constant* zero, std::int64_t axis) {
  if (codes.floating) throw Refused{"its input is of floats"};
  const auto narrow = [](std::int64_t value) { return value >= INT32_MIN && value <= INT32_MAX; };
  if (!std::all_of(codes.integers.begin(), codes.integers.end(), narrow)) throw Refused{"codes of more than 32 bits"};
  const Parts parts(codes.dims, scale, zero, axis);
  if (zero && !std::all_of(zero->integers.begin(), zero->integers.end(), narrow))
    throw Refused{"a zero point of more than 32 bits"};
  Constant floats{codes.dims, true, {}, {}};
  for (std::size_t i = 0; i < codes.integers.size(); ++i) {
    const std::size_t part = parts.of(i);
    const std::int64_t value = codes.integers[i] - (zero ? zero->integers[part] : 0);
    floats.floats.push_back(static_cast<float>(static_cast<double>(value) * static_cast<double>(scale.floats[part])));
    if (codes.is_byte && (value < -128 || value > 127))
      throw Refused{"weights of more than 8 bits about their zero point"};
  }
  if (codes.is_byte) {
    floats.steps = scale.floats;
    floats.axis = parts.axis();
  }
  return floats;
}

// Clips a map in other codes to the range of these.
Value clipped(Graph& graph, const Node& node, const Value& in, const Codes& codes) {
  const auto [low, high] = range_of(codes);
  Node clip = node;
  clip.name += "_codes";
  put_function(graph, clip, "clip", in, in.dims).numbers = {{"low", low}, {"high", high}};
  return graph.made(clip);
}

// Converts floats to integers as ONNX Runtime does: a quotient of floats, rounded half to even. Scales that are a list
// apply along `axis`.
Constant codes_of(const Constant& floats, const Constant& scale, const Constant* zero, std::int64_t axis) {
  if (zero && !zero->is_byte) throw Refused{"its codes are not of int8 or uint8"};
  const Parts parts(floats.dims, scale, zero, axis);
  Constant codes{floats.dims, false, {}, {}};
  codes.is_byte = true;
  codes.is_signed = zero && zero->is_signed;
  const float lowest = codes.is_signed ? -128 : 0;
  for (std::size_t i = 0; i < floats.floats.size(); ++i) {
    const std::size_t part = parts.of(i);
    if (!(scale.floats[part] > 0)) throw Refused{"a scale that is not positive"};
    const float code =
        std::nearbyint(floats.floats[i] / scale.floats[part]) + static_cast<float>(zero ? zero->integers[part] : 0);
    if (std::isnan(code)) throw Refused{"it quantises what is no number"};
    codes.integers.push_back(static_cast<std::int64_t>(std::clamp(code, lowest, lowest + 255)));
  }
  return codes;
}

void quantise(Graph& graph, const Node& node) {
  if (!graph.is_map(node, 0)) {
    const Constant* zero = graph.has(node, 2) ? &graph.constant(node, 2, "its zero point") : nullptr;
    const Constant& floats = graph.constant(node, 0, "its input");
    if (!floats.floating) throw Refused{"its input is not of floats"};
    graph.keep(node, codes_of(floats, graph.constant(node, 1, "its scale"), zero, node.integer("axis", 1)));
    return;
  }
  const Codes codes = told(graph, node);
  Value in = graph.elements(node, 0);
  const bool recurrent = in.layer >= 0 && graph.made_by(in).is_recurrent();  // its output is always Q0.7
  const bool again = in.rounded && graph.has_own_codes(in) && graph.codes_of(in) != codes;
  if (recurrent || again) in = clipped(graph, node, in, codes);
  graph.give_codes(in, codes);
  if (graph.is_read_unquantised(node.inputs[0]))
    graph.note(fmt::format("{}: what it quantises is read in floats too; here in its codes", node.name));
  in.coded = true;
  graph.alias(node, in);
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
    if (known && *known != codes)
      throw Refused{fmt::format("it has codes of step {}, zero point {} already", known->step, known->zero_point)};
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

}  // namespace

Operators code_operators() {
  return {{"QuantizeLinear", quantise},
          {"DequantizeLinear", dequantise},
          {"ConvInteger", conv_integer},
          {"MatMulInteger", matmul_integer},
          {"DynamicQuantizeLinear", quantise_dynamically}};
}

}  // namespace fansim::importer
