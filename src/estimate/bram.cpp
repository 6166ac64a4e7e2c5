// SPDX-License-Identifier: Apache-2.0
#include "estimate/bram.h"

#include <algorithm>
#include <climits>
#include <cmath>
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
  const auto wide = static_cast<std::size_t>(width);
  std::vector<int> fewest(wide + 1, INT_MAX);  // by width
  for (const Shape& shape : kRamb18) {
    const auto one = static_cast<std::size_t>(shape.width);
    const int blocks = base::ceil_div(depth, shape.depth);
    for (std::size_t w = 1; w <= std::min(wide, one); ++w) fewest[w] = std::min(fewest[w], blocks);
    for (std::size_t w = one + 1; w <= wide; ++w) fewest[w] = std::min(fewest[w], fewest[w - one] + blocks);
  }
  return fewest.back() / 2.0;
}

namespace {

constexpr int kByte = 9;  // bits per write enable; a narrower word takes a whole byte

// Describes one of Yosys's block RAMs: it has `bits` bits and is at most `widest` bits wide.
struct Ram {
  double bram36;
  int cost, bits, widest;
};
// These are the dual port and the simple dual port forms of half a block and of a whole one:
// share/yosys/xilinx/brams_xc4v.txt.
constexpr Ram kRams[] = {
    {0.5, 129, 1 << 14, 18}, {1, 257, 1 << 15, 36}, {0.5, 129, 1 << 14, 36}, {1, 257, 1 << 15, 72}};
constexpr int kWidths[] = {1, 2, 4, 9, 18, 36, 72};

}  // namespace

// Minimises the cost as memory_libmap does: half a unit for each bit that is selected among rows, and for each row's
// write enable.
YosysBram yosys_bram(int width, int depth) {
  YosysBram best;
  if (width <= 0 || depth <= 0) return best;
  double least = INFINITY;
  for (const Ram& ram : kRams) {
    int words = ram.bits;
    for (const int wide : kWidths) {
      if (wide > ram.widest) break;
      const int byte = std::min(wide, kByte), rows = base::ceil_div(depth, words);
      const int blocks = base::ceil_div(rows * base::ceil_div(width, byte) * byte, wide);
      const double cost = ram.cost * blocks + (rows > 1 ? 0.5 * ((rows - 1) * width + rows) : 0);
      if (cost < least) {
        least = cost;
        best = {blocks * ram.bram36, rows};
      }
      words /= 2;
    }
  }
  return best;
}

}  // namespace fansim::estimate
