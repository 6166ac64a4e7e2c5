// SPDX-License-Identifier: Apache-2.0
#include "estimate/bram.h"

#include <algorithm>
#include <climits>
#include <vector>

#include "base/units.h"

namespace fansim::estimate {

double bram36(int width, int depth) {
  struct Shape {
    int width, depth;
  };
  constexpr Shape kRamb18[] = {{36, 512}, {18, 1024}, {9, 2048}, {4, 4096}, {2, 8192}, {1, 16384}};
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

}  // namespace fansim::estimate
