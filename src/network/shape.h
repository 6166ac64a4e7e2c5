// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fansim::network {

// A feature map (channels, height, width) or a sequence (steps, features).
struct Shape {
  bool sequence = false;
  int channels = 0, height = 0, width = 0;
  int steps = 0, features = 0;

  static Shape map(int channels, int height, int width) { return {false, channels, height, width, 0, 0}; }
  static Shape series(int steps, int features) { return {true, 0, 0, 0, steps, features}; }

  std::int64_t elements() const;
  std::vector<std::int64_t> dims() const;  // as in .npy files
  std::string text() const;                // returns a text like "(3, 224, 224)"
};

// Returns how many windows fit along one axis of `padded` cells. With ceil_mode a last, incomplete window counts too,
// if it begins among the first `inside` cells: in the map or in the padding before it.
int windows(int padded, int kernel, int stride, bool ceil_mode, int inside);

bool operator==(const Shape& a, const Shape& b);
inline bool operator!=(const Shape& a, const Shape& b) { return !(a == b); }

}  // namespace fansim::network
