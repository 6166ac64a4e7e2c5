// SPDX-License-Identifier: Apache-2.0
#include "importer/windows.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "importer/parts.h"

namespace fansim::importer {
namespace {

constexpr std::int64_t kMostWindow = 1 << 12;

// Returns how many windows fit along an axis of `size` elements with padding before and after it. The padding after it
// may stay partly unused.
std::int64_t placed(std::int64_t size, std::int64_t before, std::int64_t after, std::int64_t span, std::int64_t stride,
                    bool ceil_mode) {
  const std::int64_t room = size + before + after - span;
  if (room < 0) throw Refused{"its window is larger than the map"};
  std::int64_t count = (ceil_mode ? room + stride - 1 : room) / stride + 1;
  if (ceil_mode && (count - 1) * stride >= size + before) --count;
  return count;
}

// Returns values for height and width; a node over [N, C, W] gives only the second.
Dims two(const Dims& values, std::int64_t missing, const char* what) {
  if (values.size() == 1) return {missing, values[0]};
  if (values.size() != 2) throw Refused{fmt::format("{} {}", values.size(), what)};
  return values;
}

void require_within(const Dims& values, std::int64_t least, const char* what) {
  for (const std::int64_t value : values)
    if (value < least || value > kMostWindow) throw Refused{fmt::format("{} of {}", what, text(values))};
}

// Returns the padding that auto_pad asks for, or that of `pads`.
Pads pads_of(const Node& node, const Dims& map, const Dims& spans, const Dims& strides) {
  const std::string automatic = node.word("auto_pad", "NOTSET");
  Pads pads{};
  if (automatic == "SAME_UPPER" || automatic == "SAME_LOWER") {
    for (std::size_t axis = 0; axis < 2; ++axis) {
      const std::int64_t size = map[2 + axis], stride = strides[axis], out = (size + stride - 1) / stride;
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

RowsColumns both(const Dims& values) { return {static_cast<int>(values[0]), static_cast<int>(values[1])}; }

std::int64_t span_of(const Taps& taps, std::size_t axis) {
  return std::int64_t{taps.step[axis]} * (taps.size[axis] - 1) + 1;
}

}  // namespace

bool Taps::is_cut() const {
  for (std::size_t axis = 0; axis < 2; ++axis)
    if ((out[axis] - 1) * stride[axis] + span_of(*this, axis) > in[axis] + pads[axis] + pads[axis + 2]) return true;
  return false;
}

Taps taps_of(const Node& node, const Dims& map, const Dims& kernel, const Pads& more) {
  if (map.size() != 4 && map.size() != 3)
    throw Refused{fmt::format("its input has {} dimensions; taken are [N, C, H, W] and [N, C, W]", map.size())};
  const Dims size = two(kernel, 1, "taps"), steps = two(node.list("dilations", {1, 1}), 1, "dilations");
  const Dims given = node.list("strides", {1, 1});
  const Dims strides = two(given, given.empty() ? 1 : given[0], "strides");
  require_within(size, 1, "a window");
  require_within(strides, 1, "strides");
  require_within(steps, 1, "dilations");
  Taps taps;
  taps.size = both(size);
  taps.step = both(steps);
  taps.stride = both(strides);
  taps.ceil_mode = node.integer("ceil_mode", 0) != 0;
  const Dims spans{span_of(taps, 0), span_of(taps, 1)};
  require_within(spans, 1, "a window");
  const Dims whole = map.size() == 4 ? map : Dims{1, map[1], 1, map[2]};
  taps.pads = pads_of(node, whole, spans, strides);
  for (std::size_t i = 0; i < 4; ++i) {
    if (taps.pads[i] < 0 || taps.pads[i] > kMostWindow) throw Refused{fmt::format("a pad of {}", taps.pads[i])};
    taps.pads[i] += more[i];
    if (taps.pads[i] < 0 || taps.pads[i] > kMostWindow) throw Refused{fmt::format("a pad of {}", taps.pads[i])};
  }
  for (std::size_t axis = 0; axis < 2; ++axis) {
    taps.in[axis] = whole[2 + axis];
    taps.out[axis] =
        placed(taps.in[axis], taps.pads[axis], taps.pads[axis + 2], spans[axis], strides[axis], taps.ceil_mode);
  }
  return taps;
}

Window window_of(const Taps& taps) {
  Window w;
  w.rows = taps.size[0];
  w.columns = taps.size[1];
  w.row_step = taps.step[0];
  w.column_step = taps.step[1];
  w.kernel = static_cast<int>(std::max(span_of(taps, 0), span_of(taps, 1)));
  w.stride = std::gcd(taps.stride[0], taps.stride[1]);
  w.taken = {taps.stride[0] / w.stride, taps.stride[1] / w.stride};
  w.height = placed(taps.in[0], taps.pads[0], taps.pads[2], span_of(taps, 0), w.stride, false);
  w.width = placed(taps.in[1], taps.pads[1], taps.pads[3], span_of(taps, 1), w.stride, false);
  // The padding also covers the cells of the square window beyond the taps.
  Pads pads = taps.pads;
  pads[2] += w.kernel - span_of(taps, 0);
  pads[3] += w.kernel - span_of(taps, 1);
  for (std::size_t i = 0; i < 4; ++i) w.padding[i] = static_cast<int>(pads[i]);
  return w;
}

Turned turned_of(const Node& node, const Dims& map, const Dims& kernel) {
  const Dims strides = node.list("strides", {1, 1}), steps = node.list("dilations", {1, 1}),
             behind = node.list("output_padding", {0, 0}), pads = node.list("pads", {0, 0, 0, 0});
  if (strides.size() != 2 || steps.size() != 2 || behind.size() != 2 || pads.size() != 4)
    throw Refused{"other than two dimensions"};
  require_within(strides, 1, "strides");
  require_within(steps, 1, "dilations");
  require_within(kernel, 1, "a window");
  require_within(behind, 0, "output_padding");
  require_within(pads, 0, "pads");
  Turned turned;
  turned.stretch = both(strides);
  turned.height = (map[2] - 1) * strides[0] + 1;
  turned.width = (map[3] - 1) * strides[1] + 1;
  Node forward = node;
  forward.words.erase("auto_pad");
  forward.lists["strides"] = {1, 1};
  Dims around(4);
  for (std::size_t i = 0; i < 4; ++i) {
    around[i] = steps[i % 2] * (kernel[i % 2] - 1) - pads[i] + (i >= 2 ? behind[i % 2] : 0);
    if (around[i] < 0) throw Refused{"pads beyond its window"};
  }
  forward.lists["pads"] = around;
  turned.window = window_of(taps_of(forward, {1, map[1], turned.height, turned.width}, kernel));
  return turned;
}

}  // namespace fansim::importer
