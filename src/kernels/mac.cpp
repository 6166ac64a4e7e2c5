// SPDX-License-Identifier: Apache-2.0
#include "kernels/mac.h"

#include <array>
#include <cstddef>

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

namespace {
constexpr std::array<std::int16_t, kLanes> ones() {
  std::array<std::int16_t, kLanes> all{};
  for (std::int16_t& one : all) one = 1;
  return all;
}
alignas(64) constexpr std::array<std::int16_t, kLanes> kOnes = ones();
}  // namespace

// Written as a dot product with ones, which compilers turn into a pairwise multiply-add.
FANSIM_CLONES
void sum_rows(const std::int16_t* __restrict products, int channels, int lanes, std::int32_t* __restrict sums) {
  for (int o = 0; o < channels; ++o) {
    const std::int16_t* row = products + o * lanes;
    std::int32_t sum = 0;
    for (int block = 0; block < lanes; block += kLanes)
      for (int i = 0; i < kLanes; ++i) sum += std::int32_t{row[block + i]} * kOnes[static_cast<std::size_t>(i)];
    sums[o] = sum;
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
