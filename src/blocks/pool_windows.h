// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "contract/pool_axis.h"
#include "sim/port_budget.h"

namespace fansim::blocks {

// Forms pooling windows as the points of a map pass, some channels of a point at once. Registers hold the current row
// of each window that is open side by side. When a column of a window closes, it is joined with the rows before in line
// memories: one for each window that is open above another, as deep as a row of outputs. `join(first, from, to)`
// computes the maximum or the sum of all channels; if `first`, `from` is the window's first value.
template <class T>
class PoolWindows {
 public:
  PoolWindows(int side_by_side, int lines, int words, int channels)
      : side_by_side_(side_by_side),
        words_(words),
        channels_(channels),
        columns_(static_cast<std::size_t>(side_by_side * channels)),
        lines_(static_cast<std::size_t>(lines * words * channels)),
        line_ports_(static_cast<std::size_t>(lines), sim::PortBudget(1)) {}

  template <class Join>
  void take(const contract::PoolAxis& columns, int x, const T* values, const Join& join) {
    for (int window = columns.first_covering(x); window <= columns.last_covering(x); ++window)
      join(columns.opens(window, x), values, column(window));
  }

  // Joins window `closed` of the columns to word `word` of the lines. Returns false if a line memory would be used
  // twice at an edge.
  template <class Join>
  bool close(const contract::PoolAxis& rows, int y, int closed, int word, sim::Edge now, const Join& join) {
    for (int window = rows.first_covering(y); window <= rows.last_covering(y); ++window) {
      if (!line_ports_[static_cast<std::size_t>(line(window))].spend(1, now)) return false;
      join(rows.opens(window, y), column(closed), result(window, word));
    }
    return true;
  }

  std::vector<T>& lines() { return lines_; }
  T* result(int row, int word) { return lines_.data() + std::ptrdiff_t{line(row) * words_ + word} * channels_; }

 private:
  int line(int row) const { return row % static_cast<int>(line_ports_.size()); }
  T* column(int window) { return columns_.data() + window % side_by_side_ * channels_; }

  const int side_by_side_, words_, channels_;
  std::vector<T> columns_;  // [window modulo side_by_side][channel]
  std::vector<T> lines_;    // [window modulo lines][word][channel]
  std::vector<sim::PortBudget> line_ports_;
};

}  // namespace fansim::blocks
