// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fansim::pictures {

// A picture. Samples run from 0, which is black, to `maxval`. They lie row by row, the channels of a pixel one after
// the other: one channel of gray, or red, green and blue.
struct Picture {
  int width = 0, height = 0, channels = 1;
  int maxval = 255;  // at most 65535
  std::vector<std::uint16_t> samples;

  int bits() const { return maxval > 255 ? 16 : 8; }  // bits of a sample in a file
  std::size_t row_samples() const { return static_cast<std::size_t>(width) * static_cast<std::size_t>(channels); }
  std::size_t sample_count() const { return row_samples() * static_cast<std::size_t>(height); }
};

inline bool operator==(const Picture& a, const Picture& b) {
  return a.width == b.width && a.height == b.height && a.channels == b.channels && a.maxval == b.maxval &&
         a.samples == b.samples;
}

}  // namespace fansim::pictures
