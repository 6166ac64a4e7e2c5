// SPDX-License-Identifier: Apache-2.0
#include "importer/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

namespace fansim::importer {
namespace {

constexpr std::int64_t kMost = 1 << 12;

// How often a window fits along an axis, whose size is with its pads before; that behind may be left out.
std::int64_t placed(std::int64_t size, std::int64_t before, std::int64_t after, std::int64_t span, const Window& w) {
  const std::int64_t room = size + before + after - span;
  if (room < 0) throw Refused{"its window is larger than the map"};
  std::int64_t count = (w.ceil_mode ? room + w.stride - 1 : room) / w.stride + 1;
  if (w.ceil_mode && (count - 1) * w.stride >= size + before) --count;
  return count;
}

// Of height and width; a node over [N, C, W] has only the second.
Dims two(const Dims& values, std::int64_t missing, const char* what) {
  if (values.size() == 1) return {missing, values[0]};
  if (values.size() != 2) throw Refused{fmt::format("{} {}", values.size(), what)};
  return values;
}

void require_within(const Dims& values, std::int64_t least, const char* what) {
  for (const std::int64_t value : values)
    if (value < least || value > kMost) throw Refused{fmt::format("{} of {}", what, text(values))};
}

// What auto_pad asks for, or pads.
Pads pads_of(const Node& node, const Dims& map, const Dims& spans, std::int64_t stride) {
  const std::string automatic = node.word("auto_pad", "NOTSET");
  Pads pads{};
  if (automatic == "SAME_UPPER" || automatic == "SAME_LOWER") {
    for (std::size_t axis = 0; axis < 2; ++axis) {
      const std::int64_t size = map[2 + axis], out = (size + stride - 1) / stride;
      const std::int64_t all = std::max<std::int64_t>(0, (out - 1) * stride + spans[axis] - size);
      pads[axis] = automatic == "SAME_UPPER" ? all / 2 : all - all / 2;
      pads[axis + 2] = all - pads[axis];
    }
    return pads;
  }
  if (automatic == "VALID") return pads;
  if (automatic != "NOTSET") throw Refused{fmt::format("auto_pad '{}'", automatic)};
  Dims given = node.list("pads", {0, 0, 0, 0});
  if (given.size() == 2) given = {0, given[0], 0, given[1]};
  if (given.size() != 4) throw Refused{fmt::format("{} pads; a map has 4", given.size())};
  std::copy(given.begin(), given.end(), pads.begin());
  return pads;
}

// Of a list of a shape's dimensions; a negative index counts from its end.
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

// Of a constant; before opset 5 the shape was an attribute.
Constant reshaped(const Node& node, const Constant& from, const Constant& shape) {
  Constant result = from;
  result.dims = node.lists.count("shape") > 0 ? node.lists.at("shape") : shape.integers;
  resolve_shape(from.dims, result.dims);
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
  Constant result{{}, from.floating, {}, {}};
  for (const std::int64_t axis : order) result.dims.push_back(from.dims[static_cast<std::size_t>(axis)]);
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

Window window_of(const Node& node, const Dims& map, const Dims& kernel, const Pads& more) {
  if (map.size() != 4 && map.size() != 3)
    throw Refused{fmt::format("its input has {} dimensions; taken are [N, C, H, W] and [N, C, W]", map.size())};
  const Dims taps = two(kernel, 1, "taps");
  Dims strides = node.list("strides", {1, 1});
  if (strides.size() == 1) strides = {strides[0], strides[0]};
  strides = two(strides, 1, "strides");
  const Dims steps = two(node.list("dilations", {1, 1}), 1, "dilations");
  if (strides[0] != strides[1]) throw Refused{fmt::format("strides of {}; equal ones are computed", text(strides))};
  require_within(taps, 1, "a window"), require_within(strides, 1, "strides"), require_within(steps, 1, "dilations");
  const Dims spans{steps[0] * (taps[0] - 1) + 1, steps[1] * (taps[1] - 1) + 1};
  require_within(spans, 1, "a window");
  Window w;
  w.rows = static_cast<int>(taps[0]), w.columns = static_cast<int>(taps[1]);
  w.row_step = static_cast<int>(steps[0]), w.column_step = static_cast<int>(steps[1]);
  w.kernel = static_cast<int>(std::max(spans[0], spans[1])), w.stride = static_cast<int>(strides[0]);
  w.ceil_mode = node.integer("ceil_mode", 0) != 0;
  const Dims whole = map.size() == 4 ? map : Dims{1, map[1], 1, map[2]};
  Pads pads = pads_of(node, whole, spans, w.stride);
  for (std::size_t i = 0; i < 4; ++i) {
    if (pads[i] < 0 || pads[i] > kMost) throw Refused{fmt::format("a pad of {}", pads[i])};
    pads[i] += more[i];
    if (pads[i] < 0 || pads[i] > kMost) throw Refused{fmt::format("a pad of {}", pads[i])};
  }
  w.height = placed(whole[2], pads[0], pads[2], spans[0], w), w.width = placed(whole[3], pads[1], pads[3], spans[1], w);
  // Cells that the square window has beyond the taps.
  pads[2] += w.kernel - spans[0], pads[3] += w.kernel - spans[1];
  for (std::size_t i = 0; i < 4; ++i) w.padding[i] = static_cast<int>(pads[i]);
  return w;
}

Turned turned_of(const Node& node, const Dims& map, const Dims& kernel) {
  const Dims strides = node.list("strides", {1, 1}), steps = node.list("dilations", {1, 1}),
             behind = node.list("output_padding", {0, 0}), pads = node.list("pads", {0, 0, 0, 0});
  if (strides.size() != 2 || strides[0] != strides[1])
    throw Refused{fmt::format("strides of {}; equal ones are computed", text(strides))};
  if (steps.size() != 2 || behind.size() != 2 || pads.size() != 4) throw Refused{"other than two dimensions"};
  require_within(strides, 1, "strides"), require_within(steps, 1, "dilations"), require_within(kernel, 1, "a window");
  require_within(behind, 0, "output_padding"), require_within(pads, 0, "pads");
  Turned turned;
  turned.stretch = static_cast<int>(strides[0]);
  turned.height = (map[2] - 1) * strides[0] + 1, turned.width = (map[3] - 1) * strides[1] + 1;
  Node forward = node;
  forward.words.erase("auto_pad");
  forward.lists["strides"] = {1, 1};
  Dims around(4);
  for (std::size_t i = 0; i < 4; ++i) {
    around[i] = steps[i % 2] * (kernel[i % 2] - 1) - pads[i] + (i >= 2 ? behind[i % 2] : 0);
    if (around[i] < 0) throw Refused{"pads beyond its window"};
  }
  forward.lists["pads"] = around;
  turned.window = window_of(forward, {1, map[1], turned.height, turned.width}, kernel);
  return turned;
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
  if (std::any_of(inputs.begin(), inputs.end(), [](const Constant* one) { return one->floating; })) return std::nullopt;
  const Constant& first = *inputs[0];
  if (node.op == "Gather" && inputs.size() == 2 && node.integer("axis", 0) == 0 && first.dims.size() == 1)
    return gathered(first, *inputs[1]);
  if (node.op == "Concat") {
    Dims values;
    for (const Constant* part : inputs) values.insert(values.end(), part->integers.begin(), part->integers.end());
    return list_of(std::move(values));
  }
  if (node.op == "Unsqueeze") return list_of(first.integers);
  if (node.op == "Squeeze" || node.op == "Cast") return first;
  return std::nullopt;
}

}  // namespace fansim::importer
