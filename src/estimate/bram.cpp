// SPDX-License-Identifier: Apache-2.0
#include "estimate/bram.h"

#include <algorithm>
#include <climits>
#include <vector>

#include "base/units.h"

namespace fansim::estimate {

namespace {

struct Shape {
  int width, depth;
};
constexpr Shape kRamb18[] = {{36, 512}, {18, 1024}, {9, 2048}, {4, 4096}, {2, 8192}, {1, 16384}};

}  // namespace

double bram36(int width, int depth) {
  if (width <= 0 || depth <= 0) return 0;
  std::vector<int> fewest(static_cast<std::size_t>(width) + 1, INT_MAX);
  fewest[0] = 0;
  for (std::size_t w = 1; w < fewest.size(); ++w) {
    for (const Shape& shape : kRamb18) {
      const std::size_t rest = w - std::min(w, static_cast<std::size_t>(shape.width));
      fewest[w] = std::min(fewest[w], fewest[rest] + base::ceil_div(depth, shape.depth));
    }
  }
  return fewest.back() / 2.0;
}

double yosys_bram36(int width, int depth) {
  if (width <= 0 || depth <= 0) return 0;
  const auto row = [width](const Shape& shape, int words) {
    int widest = shape.width;
    for (const Shape& other : kRamb18) {
      if (other.depth >= words) widest = std::max(widest, other.width);
    }
    return base::ceil_div(width, widest);
  };
  int fewest = INT_MAX;
  for (const Shape& shape : kRamb18) {
    const int rest = depth % shape.depth;
    fewest = std::min(fewest, depth / shape.depth * row(shape, shape.depth) + (rest > 0 ? row(shape, rest) : 0));
  }
  return fewest / 2.0;
}

}  // namespace fansim::estimate
