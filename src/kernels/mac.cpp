// SPDX-License-Identifier: Apache-2.0
#include "kernels/mac.h"

#include "kernels/vector.h"

namespace fansim::kernels {

FANSIM_CLONES
void multiply(const std::int16_t* __restrict x, const std::int16_t* __restrict weights, int channels, int lanes,
              std::int16_t* __restrict products) {
  for (int o = 0; o < channels; ++o) {
    for (int block = 0; block < lanes; block += kLanes) {
      for (int i = 0; i < kLanes; ++i) {
        const int at = o * lanes + block + i;
        products[at] = static_cast<std::int16_t>(x[block + i] * weights[at]);
      }
    }
  }
}

FANSIM_CLONES
void dot_rows(const std::int16_t* __restrict x, const std::int16_t* __restrict weights, int channels, int lanes,
              std::int32_t* __restrict sums) {
  const int whole = lanes / kLanes * kLanes;  // all, which the compiler cannot know
  for (int o = 0; o < channels; ++o) {
    const std::int16_t* row = weights + o * lanes;
    std::int32_t sum = 0;
    for (int i = 0; i < whole; ++i) sum += std::int32_t{x[i]} * row[i];
    sums[o] = sum;
  }
}

}  // namespace fansim::kernels
