// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "importer/file/model.h"

// This file describes the windows of convolutions and poolings.
namespace fansim::importer {

using Pads = std::array<std::int64_t, 4>;  // top, left, bottom, right
using RowsColumns = std::array<int, 2>;

// Holds a window as a node describes it, over a map [1, C, H, W] or over [1, C, W], which has one row.
struct Taps {
  RowsColumns size{1, 1}, step{1, 1}, stride{1, 1};
  Pads pads{};
  bool ceil_mode = false;
  std::array<std::int64_t, 2> in{1, 1}, out{1, 1};  // height and width of the map

  bool is_solid() const { return (size[0] == 1 || step[0] == 1) && (size[1] == 1 || step[1] == 1); }
  bool is_square() const { return is_solid() && size[0] == size[1] && stride[0] == stride[1]; }
  bool is_padded() const { return pads != Pads{}; }
  bool is_cut() const;  // its last windows extend beyond the padding
};
// Adds the given padding to the node's own. Throws Refused.
Taps taps_of(const Node& node, const Dims& map, const Dims& kernel, const Pads& more = {});

// Holds a square window with equal strides over a map, and the taps that lie in it.
struct Window {
  int kernel = 1, stride = 1;
  std::array<int, 4> padding{};        // top, left, bottom, right
  std::int64_t height = 1, width = 1;  // size of the output
  RowsColumns taken{1, 1};             // which of the output's rows and columns are wanted: every how many
  int rows = 1, columns = 1;           // number of taps, from the window's first cell on
  int row_step = 1, column_step = 1;

  bool is_square() const { return rows == kernel && columns == kernel; }
};
Window window_of(const Taps& taps);

// Describes a transposed convolution as a window over its input with `stretch` - 1 zeros between elements, which makes
// it height x width.
struct Turned {
  RowsColumns stretch{1, 1};
  std::int64_t height = 1, width = 1;
  Window window;
};
Turned turned_of(const Node& node, const Dims& map, const Dims& kernel);

}  // namespace fansim::importer
