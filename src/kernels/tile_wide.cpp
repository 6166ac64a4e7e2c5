// SPDX-License-Identifier: Apache-2.0
#include <cstddef>

#include "kernels/tile_mac.h"
#include "kernels/vector.h"

namespace fansim::kernels {

// Every product fits 32 bits, two of them do not.
FANSIM_CLONES
void multiply_add_wide(const std::int16_t* x, const std::int16_t* weights, int pairs, int channels,
                       std::int64_t* __restrict sums) {
  for (int block = 0; block < channels; block += kTileChannels) {
    std::int64_t part[kTileChannels] = {};
    for (int p = 0; p < pairs; ++p) {
      const std::int16_t* row = weights + (std::ptrdiff_t{p} * channels + block) * 2;
      const int even = x[2 * p], odd = x[2 * p + 1];
      for (int o = 0; o < kTileChannels; ++o)
        part[o] += std::int64_t{even * row[2 * o]} + std::int64_t{odd * row[2 * o + 1]};
    }
    for (int o = 0; o < kTileChannels; ++o) sums[block + o] += part[o];
  }
}

}  // namespace fansim::kernels
