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

YosysBram yosys_bram(int width, int depth) {
  YosysBram best;
  if (width <= 0 || depth <= 0) return best;
  const auto blocks = [width](const Shape& shape, int words) {
    int widest = shape.width;
    for (const Shape& other : kRamb18) {
      if (other.depth >= words) widest = std::max(widest, other.width);
    }
    return base::ceil_div(width, widest);
  };
  int fewest = INT_MAX;
  for (const Shape& shape : kRamb18) {
    const int rest = depth % shape.depth;
    const int all = depth / shape.depth * blocks(shape, shape.depth) + (rest > 0 ? blocks(shape, rest) : 0);
    if (all > fewest) continue;
    fewest = all;
    best = {all / 2.0, base::ceil_div(depth, shape.depth)};
  }
  return best;
}

}  // namespace fansim::estimate
