// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "importer/operators.h"

namespace fansim::importer {
namespace {

// Of a map: one step and zero point.
Codes codes_of(Graph& graph, const Node& node) {
  const std::vector<float>& step = graph.floats(node, 1, "its scale", 1);
  Codes codes{step[0], 0, false};
  if (!(codes.step > 0)) throw Refused{"a scale that is not positive"};
  if (!graph.has(node, 2)) return codes;
  const Constant& zero = graph.constant(node, 2, "its zero point");
  if (!zero.is_byte || zero.size() != 1) throw Refused{"its codes are not of int8 or uint8"};
  codes.zero_point = static_cast<int>(zero.integers[0]), codes.is_signed = zero.is_signed;
  return codes;
}

void quantise(Graph& graph, const Node& node) {
  Value in = graph.map(node, 0);
  graph.give_codes(in, codes_of(graph, node));
  in.coded = true;
  graph.alias(node, in);
}

// Of a constant, along an axis if its scale is a list.
Constant dequantised(Graph& graph, const Node& node, const Constant& codes) {
  if (codes.floating) throw Refused{"its input is of floats"};
  const auto narrow = [](std::int64_t value) { return value >= INT32_MIN && value <= INT32_MAX; };
  if (!std::all_of(codes.integers.begin(), codes.integers.end(), narrow)) throw Refused{"codes of more than 32 bits"};
  const Constant& scale = graph.constant(node, 1, "its scale");
  const Constant* zero = graph.has(node, 2) ? &graph.constant(node, 2, "its zero point") : nullptr;
  const auto rank = static_cast<std::int64_t>(codes.dims.size());
  std::int64_t axis = node.integer("axis", 1);
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
  if (codes.is_byte) floats.steps = scale.floats, floats.axis = static_cast<std::size_t>(extent > 1 ? axis : 0);
  return floats;
}

void dequantise(Graph& graph, const Node& node) {
  if (!graph.is_map(node, 0)) return graph.keep(node, dequantised(graph, node, graph.constant(node, 0, "its input")));
  Value in = graph.padded_map(node, 0);
  if (!in.coded) throw Refused{"its input is of floats"};
  graph.give_codes(in, codes_of(graph, node));
  in.coded = false;
  graph.alias(node, in);
}

}  // namespace

Operators code_operators() { return {{"QuantizeLinear", quantise}, {"DequantizeLinear", dequantise}}; }

}  // namespace fansim::importer
