// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "importer/file/model.h"

// Windows of convolutions and poolings.
namespace fansim::importer {

using Pads = std::array<std::int64_t, 4>;  // top, left, bottom, right
using RowsColumns = std::array<int, 2>;

// A window as a node has it, over a map [1, C, H, W] or [1, C, W], whose rows are one then.
struct Taps {
  RowsColumns size{1, 1}, step{1, 1}, stride{1, 1};
  Pads pads{};
  bool ceil_mode = false;
  std::array<std::int64_t, 2> in{1, 1}, out{1, 1};  // of the map

  bool is_solid() const { return (size[0] == 1 || step[0] == 1) && (size[1] == 1 || step[1] == 1); }
  bool is_square() const { return is_solid() && size[0] == size[1] && stride[0] == stride[1]; }
  bool is_padded() const { return pads != Pads{}; }
  bool is_cut() const;  // its last windows reach beyond the padding
};
// With pads beside the node's own. Throws Refused.
Taps taps_of(const Node& node, const Dims& map, const Dims& kernel, const Pads& more = {});

// A square window with equal strides over a map, and the taps that lie in it.
struct Window {
  int kernel = 1, stride = 1;
  std::array<int, 4> padding{};        // top, left, bottom, right
  std::int64_t height = 1, width = 1;  // of what comes out
  RowsColumns taken{1, 1};             // of that, every so many rows and columns are wanted
  int rows = 1, columns = 1;           // taps, from the window's first cell on
  int row_step = 1, column_step = 1;

  bool is_square() const { return rows == kernel && columns == kernel; }
};
Window window_of(const Taps& taps);

// A transposed convolution: its input with `stretch` - 1 zeros between elements, height x width then, and the window
// over that.
struct Turned {
  RowsColumns stretch{1, 1};
  std::int64_t height = 1, width = 1;
  Window window;
};
Turned turned_of(const Node& node, const Dims& map, const Dims& kernel);

}  // namespace fansim::importer
