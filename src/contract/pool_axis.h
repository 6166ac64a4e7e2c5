// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

namespace fansim::contract {

// Pooling windows along one axis. Window i covers [i * stride - before, i * stride - before + kernel), clipped to the
// map, or to the part of the map that the windows need.
struct PoolAxis {
  int kernel, stride, before, size, windows;

  int first_covering(int at) const { return std::max(0, (at + before - kernel) / stride + (at + before >= kernel)); }
  int last_covering(int at) const { return std::min(windows - 1, (at + before) / stride); }
  bool opens(int window, int at) const { return at == std::max(0, window * stride - before); }
  int closing(int window) const { return std::min(size - 1, window * stride - before + kernel - 1); }
  // Returns how many windows `at` closes. They are the first ones of those that cover it.
  int closed(int at) const {
    int count = 0;
    for (int window = first_covering(at); window <= last_covering(at); ++window) count += closing(window) == at;
    return count;
  }
  // Returns how many places close no window. Only the last place closes several.
  int closing_none() const { return size - windows + closed(size - 1) - 1; }
};

}  // namespace fansim::contract
