// SPDX-License-Identifier: Apache-2.0
// A product and a sum are rounded separately: cmake/room.cmake sets -ffp-contract=off.
#include <cstddef>
#include <cstring>

#include "kernels/tile_mac.h"
#include "kernels/vector.h"

namespace fansim::kernels {
namespace {

constexpr int kGroups = 512 / kTreeLanes;
static_assert(sizeof(Vector) == kTileChannels * sizeof(float));

}  // namespace

// Adds two levels of the tree at once, then goes level by level over groups of four lanes.
FANSIM_CLONES
void multiply_tree(const float* x, const float* weights, int lanes, int channels, float* sums) {
  for (int block = 0; block < channels; block += kTileChannels) {
    Vector part[kGroups];
    int terms = lanes / kTreeLanes;
    for (int g = 0; g < terms; ++g) {
      Vector w[kTreeLanes];
      for (int i = 0; i < kTreeLanes; ++i)
        std::memcpy(&w[i], weights + static_cast<std::ptrdiff_t>(g * kTreeLanes + i) * channels + block, sizeof w[i]);
      const float* v = x + g * kTreeLanes;
      part[g] = (v[0] * w[0] + v[1] * w[1]) + (v[2] * w[2] + v[3] * w[3]);
    }
    for (; terms > 1; terms = (terms + 1) / 2) {
      for (int i = 0; i < terms / 2; ++i) part[i] = part[2 * i] + part[2 * i + 1];
      if (terms % 2 == 1) part[terms / 2] = part[terms - 1];
    }
    Vector sum;
    std::memcpy(&sum, sums + block, sizeof sum);
    sum = sum + part[0];
    std::memcpy(sums + block, &sum, sizeof sum);
  }
}

}  // namespace fansim::kernels
