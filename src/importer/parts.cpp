// SPDX-License-Identifier: Apache-2.0
#include "importer/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

namespace fansim::importer {
namespace {

std::int64_t placed(std::int64_t size, std::int64_t before, std::int64_t after, const Window& w) {
  const std::int64_t room = size + before + after - w.kernel;
  if (room < 0) throw Refused{"its window is larger than the map"};
  std::int64_t count = (w.ceil_mode ? room + w.stride - 1 : room) / w.stride + 1;
  if (w.ceil_mode && (count - 1) * w.stride >= size + before) --count;
  return count;
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

std::string text(const Dims& dims) {
  std::string all;
  for (const std::int64_t dim : dims) all += (all.empty() ? "" : " x ") + std::to_string(dim);
  return all.empty() ? "a number" : all;
}

Window window_of(const Node& node, const Dims& map, const Dims& kernel) {
  if (map.size() != 4) throw Refused{fmt::format("its input has {} dimensions; taken are [N, C, H, W]", map.size())};
  if (kernel.size() != 2 || kernel[0] != kernel[1])
    throw Refused{fmt::format("a window of {}; square ones are computed", text(kernel))};
  const Dims strides = node.list("strides", {1, 1}), dilations = node.list("dilations", {1, 1});
  if (strides.size() != 2 || strides[0] != strides[1])
    throw Refused{fmt::format("strides of {}; equal ones are computed", text(strides))};
  for (const std::int64_t dilation : dilations)
    if (dilation != 1) throw Refused{fmt::format("dilations of {}", text(dilations))};
  constexpr std::int64_t kMost = 1 << 12;
  if (kernel[0] < 1 || kernel[0] > kMost || strides[0] < 1 || strides[0] > kMost)
    throw Refused{"a window or stride beyond 4096"};
  Window w;
  w.kernel = static_cast<int>(kernel[0]), w.stride = static_cast<int>(strides[0]);
  w.ceil_mode = node.integer("ceil_mode", 0) != 0;
  Dims pads = node.list("pads", {0, 0, 0, 0});
  const std::string automatic = node.word("auto_pad", "NOTSET");
  if (automatic == "SAME_UPPER" || automatic == "SAME_LOWER") {
    pads.assign(4, 0);
    for (std::size_t axis = 0; axis < 2; ++axis) {
      const std::int64_t size = map[2 + axis], out = (size + w.stride - 1) / w.stride;
      const std::int64_t all = std::max<std::int64_t>(0, (out - 1) * w.stride + w.kernel - size);
      pads[axis] = automatic == "SAME_UPPER" ? all / 2 : all - all / 2;
      pads[axis + 2] = all - pads[axis];
    }
  } else if (automatic == "VALID") {
    pads.assign(4, 0);
  } else if (automatic != "NOTSET") {
    throw Refused{fmt::format("auto_pad '{}'", automatic)};
  }
  if (pads.size() != 4) throw Refused{fmt::format("{} pads; a map has 4", pads.size())};
  for (std::size_t i = 0; i < 4; ++i) {
    if (pads[i] < 0 || pads[i] > kMost) throw Refused{fmt::format("a pad of {}", pads[i])};
    w.padding[i] = static_cast<int>(pads[i]);
  }
  w.height = placed(map[2], pads[0], pads[2], w), w.width = placed(map[3], pads[1], pads[3], w);
  return w;
}

std::optional<Constant> folded(const Node& node, const std::vector<const Constant*>& inputs, const Dims& shape) {
  if (node.op == "Constant") return given(node);
  if (node.op == "Shape") return list_of(shape);
  const bool known =
      !inputs.empty() && std::all_of(inputs.begin(), inputs.end(), [](const Constant* one) { return one; });
  if (!known || inputs[0]->floating) return std::nullopt;
  const Constant& first = *inputs[0];
  if (node.op == "Gather" && inputs.size() == 2 && node.integer("axis", 0) == 0 && first.dims.size() == 1)
    return gathered(first, *inputs[1]);
  if (node.op == "Concat") {
    Dims values;
    for (const Constant* part : inputs) values.insert(values.end(), part->integers.begin(), part->integers.end());
    return list_of(std::move(values));
  }
  if (node.op == "Unsqueeze") return list_of(first.integers);
  if (node.op == "Squeeze" || node.op == "Cast" || node.op == "Identity") return first;
  return std::nullopt;
}

}  // namespace fansim::importer
