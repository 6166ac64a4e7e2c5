// SPDX-License-Identifier: Apache-2.0
#include "importer/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

namespace fansim::importer {
namespace {

// Gathers elements of a list of a shape's dimensions; a negative index counts from the end.
Constant gathered(const Constant& from, const Constant& indices) {
  Constant result{indices.dims, false, {}, {}};
  for (std::int64_t index : indices.integers) {
    if (index < 0) index += from.dims[0];
    if (index < 0 || index >= from.dims[0]) throw Refused{"an index beyond the shape"};
    result.integers.push_back(from.integers[static_cast<std::size_t>(index)]);
  }
  return result;
}

Constant list_of(Dims values) { return {{static_cast<std::int64_t>(values.size())}, false, {}, std::move(values)}; }

// Finds the axis of a reshaped constant that has the steps: as long as it was, with as many elements behind each of its
// indices. If there is none, it is an axis that no constant has.
void find_axis(const Constant& from, Constant& to) {
  const auto behind = [](const Constant& constant, std::size_t axis) {
    return product({constant.dims.begin() + static_cast<std::ptrdiff_t>(axis), constant.dims.end()});
  };
  for (to.axis = 0; to.axis < to.dims.size(); ++to.axis)
    if (to.dims[to.axis] == from.dims[from.axis] && behind(to, to.axis) == behind(from, from.axis)) return;
}

// Reshapes a constant. Before opset 5 the shape was an attribute.
Constant reshaped(const Node& node, const Constant& from, const Constant& shape) {
  Constant result = from;
  result.dims = node.lists.count("shape") > 0 ? node.lists.at("shape") : shape.integers;
  resolve_shape(from.dims, result.dims);
  if (from.steps.size() > 1) find_axis(from, result);
  return result;
}

Constant turned(const Node& node, const Constant& from) {
  const std::size_t rank = from.dims.size();
  Dims order = node.list("perm", {});
  for (std::size_t i = 0; order.empty() || order.size() < rank; ++i)
    order.push_back(static_cast<std::int64_t>(rank - 1 - i));
  Dims sorted = order, strides(rank, 1);
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < rank; ++i)
    if (sorted.size() != rank || sorted[i] != static_cast<std::int64_t>(i)) throw Refused{"an order that is none"};
  for (std::size_t i = rank; i-- > 1;) strides[i - 1] = strides[i] * from.dims[i];
  Constant result{{}, from.floating, {}, {}, from.is_byte, from.is_signed, from.steps};
  for (const std::int64_t axis : order) {
    if (axis == static_cast<std::int64_t>(from.axis)) result.axis = result.dims.size();
    result.dims.push_back(from.dims[static_cast<std::size_t>(axis)]);
  }
  Dims at(rank);
  for (std::size_t count = from.size(); count > 0; --count) {
    std::int64_t place = 0;
    for (std::size_t i = 0; i < rank; ++i) place += at[i] * strides[static_cast<std::size_t>(order[i])];
    if (from.floating)
      result.floats.push_back(from.floats[static_cast<std::size_t>(place)]);
    else
      result.integers.push_back(from.integers[static_cast<std::size_t>(place)]);
    for (std::size_t i = rank; i-- > 0;) {
      if (++at[i] < result.dims[i]) break;
      at[i] = 0;
    }
  }
  return result;
}

// Multiplies floats, if one of them is a single number or both have the same shape.
std::optional<Constant> multiplied(const Constant& a, const Constant& b) {
  if (a.size() == 1 && (b.size() != 1 || b.dims.size() > a.dims.size()) && b.dims.size() >= a.dims.size())
    return multiplied(b, a);
  if (b.dims != a.dims && (b.size() != 1 || b.dims.size() > a.dims.size())) return std::nullopt;
  Constant result{a.dims, true, {}, {}};
  for (std::size_t i = 0; i < a.size(); ++i) result.floats.push_back(a.floats[i] * b.floats[b.size() == 1 ? 0 : i]);
  return result;
}

// Slices a list of integers with a step of 1. ONNX clamps both ends (Slice).
std::optional<Constant> sliced(const Node& node, const std::vector<const Constant*>& inputs) {
  const Constant& list = *inputs[0];
  const auto told = [&](const char* key, std::size_t input, const Dims& otherwise) {
    return input < inputs.size() ? inputs[input]->integers : node.list(key, otherwise);
  };
  const Dims starts = told("starts", 1, {}), ends = told("ends", 2, {});
  if (list.dims.size() != 1 || starts.size() != 1 || ends.size() != 1 || told("axes", 3, {0}) != Dims{0} ||
      told("steps", 4, {1}) != Dims{1})
    return std::nullopt;
  const auto size = static_cast<std::int64_t>(list.integers.size());
  const auto place = [size](std::int64_t at) { return std::clamp<std::int64_t>(at < 0 ? at + size : at, 0, size); };
  const std::int64_t first = place(starts[0]), last = std::max(first, place(ends[0]));
  return list_of(Dims(list.integers.begin() + first, list.integers.begin() + last));
}

Constant given(const Node& node) {
  if (!node.tensors.empty()) return node.tensors.begin()->second;
  if (node.floats.count("value_float")) return {{}, true, {static_cast<float>(node.floats.at("value_float"))}, {}};
  if (node.integers.count("value_int")) return {{}, false, {}, {node.integers.at("value_int")}};
  if (node.lists.count("value_ints")) return list_of(node.lists.at("value_ints"));
  throw Refused{"a constant of words, or sparse"};
}

}  // namespace

std::int64_t product(const Dims& dims) {
  return std::accumulate(dims.begin(), dims.end(), std::int64_t{1}, std::multiplies<>());
}

void resolve_shape(const Dims& from, Dims& to) {
  const std::int64_t all = product(from);
  std::int64_t known = 1;
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (to[i] == 0 && i < from.size()) to[i] = from[i];
    if (to[i] < -1 || to[i] == 0) throw Refused{"a shape with a dimension of nothing"};
    if (to[i] < 0) continue;
    if (to[i] > all / known) throw Refused{fmt::format("{} to a shape of more elements", text(from))};
    known *= to[i];
  }
  if (std::count(to.begin(), to.end(), -1) > 1) throw Refused{"a shape with two open dimensions"};
  for (std::int64_t& dim : to)
    if (dim == -1) dim = all / known;
  if (product(to) != all) throw Refused{fmt::format("{} to {}", text(from), text(to))};
}

std::string text(const Dims& dims) {
  std::string all;
  for (const std::int64_t dim : dims) all += (all.empty() ? "" : " x ") + std::to_string(dim);
  return all.empty() ? "a number" : all;
}

std::optional<Constant> folded(const Node& node, const std::vector<const Constant*>& inputs, const Dims& shape) {
  if (node.op == "Constant") return given(node);
  if (node.op == "Shape") return list_of(shape);
  const bool known =
      !inputs.empty() && std::all_of(inputs.begin(), inputs.end(), [](const Constant* one) { return one; });
  if (!known) return std::nullopt;
  if (node.op == "Reshape") return reshaped(node, *inputs[0], *inputs.back());
  if (node.op == "Transpose") return turned(node, *inputs[0]);
  if (node.op == "Identity") return *inputs[0];
  if (node.op == "Mul" && inputs.size() == 2 && inputs[0]->floating && inputs[1]->floating)
    return multiplied(*inputs[0], *inputs[1]);
  if (std::any_of(inputs.begin(), inputs.end(), [](const Constant* one) { return one->floating; })) return std::nullopt;
  const Constant& first = *inputs[0];
  if (node.op == "Gather" && inputs.size() == 2 && node.integer("axis", 0) == 0 && first.dims.size() == 1)
    return gathered(first, *inputs[1]);
  if (node.op == "Concat") {
    Dims values;
    for (const Constant* part : inputs) values.insert(values.end(), part->integers.begin(), part->integers.end());
    return list_of(std::move(values));
  }
  if (node.op == "Slice") return sliced(node, inputs);
  if (node.op == "Unsqueeze") return list_of(first.integers);
  if (node.op == "Squeeze" || node.op == "Cast") return first;
  return std::nullopt;
}

}  // namespace fansim::importer
