// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "importer/model.h"

// What a conversion looks at in a node by itself.
namespace fansim::importer {

// Why a node becomes no layer.
struct Refused {
  std::string reason;
};

std::int64_t product(const Dims& dims);
std::string text(const Dims& dims);  // "1 x 3 x 5 x 5"

// A shape as Reshape is told it, of a tensor of dims `from`: 0 is what was there, -1 what is left. Throws Refused.
void resolve_shape(const Dims& from, Dims& to);

// A square window with equal strides over a map, and the taps that lie in it.
struct Window {
  int kernel = 1, stride = 1;
  std::array<int, 4> padding{};  // top, left, bottom, right
  bool ceil_mode = false;
  std::int64_t height = 1, width = 1;  // of what comes out
  int rows = 1, columns = 1;           // taps, from the window's first cell on
  int row_step = 1, column_step = 1;

  bool is_square() const { return rows == kernel && columns == kernel; }
};
using Pads = std::array<std::int64_t, 4>;
// Of a convolution's or pooling's node over a map [1, C, H, W] or [1, C, W], with pads beside the node's own. Throws
// Refused.
Window window_of(const Node& node, const Dims& map, const Dims& kernel, const Pads& pads = {});

// A transposed convolution: its input with `stretch` - 1 zeros between elements, height x width then, and the window
// over that.
struct Turned {
  int stretch = 1;
  std::int64_t height = 1, width = 1;
  Window window;
};
Turned turned_of(const Node& node, const Dims& map, const Dims& kernel);

// What the node computes of constants alone, or of its input's shape, if it is a constant or arithmetic on shapes as
// exporters spell it out; `inputs` are null where they are none. Throws Refused.
std::optional<Constant> folded(const Node& node, const std::vector<const Constant*>& inputs, const Dims& shape);

}  // namespace fansim::importer
