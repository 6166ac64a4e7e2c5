// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "accelerators/decoupled/compile/stored_map.h"
#include "accelerators/decoupled/config/config.h"

namespace fansim::decoupled {

// Describes a convolution or a pooling as the machine computes it; a fully connected layer is a convolution of a
// flattened map. Maps have the channels of all groups, while `inputs` and `outputs` are those of one.
struct Work {
  bool pools = false;
  StoredMap in, out;
  int groups = 1, inputs = 0, outputs = 0;
  int positions = 1;  // of a flattened map, for each of its channel blocks
  int kernel = 1, stride = 1, top = 0, left = 0;
  std::uint32_t weights = 0, parameters = 0, sums = 0;  // addresses

  int kernel_positions() const { return kernel * kernel; }
  // Returns the unit of a tile's input channels: whole blocks of the memory and of the array.
  int input_unit(const Config& config) const { return std::max(config.block(), config.array.tn) * positions; }
  int input_blocks(int channels, const Config& config) const { return base::ceil_div(channels, config.array.tn); }
  int output_blocks(int channels, const Config& config) const { return base::ceil_div(channels, config.array.tm); }
};

// Holds, for one direction, what `outputs` outputs read of a map of `size` places that follow `before` places of
// border.
struct Reach {
  Span inside;                // of the map
  int before = 0, after = 0;  // border around it
  bool empty() const { return inside.count == 0; }
};

inline Reach reach(Span outputs, int kernel, int stride, int before, int size) {
  const int first = outputs.first * stride - before, last = first + (outputs.count - 1) * stride + kernel;
  const int from = std::clamp(first, 0, size), to = std::clamp(last, from, size);
  Reach reach{{from, to - from}, from - first, last - to};
  if (reach.empty()) reach = {{0, 0}, last - first, 0};
  return reach;
}

// Returns the array's steps for a number of positions, places of the kernel and blocks of input channels.
inline std::int64_t steps_of(std::int64_t positions, std::int64_t taps, int blocks, const Config& config) {
  return positions * blocks * base::ceil_div(taps, std::int64_t{config.array.window} * config.array.window);
}

}  // namespace fansim::decoupled
