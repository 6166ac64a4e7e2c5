// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace fansim::arith {

// Says which of a layer's products a machine sums in one kernel that rounds (docs/lut_kernels.md). For a convolution
// these are the products of a kernel row, of `channels` neighbouring input channels and `columns` neighbouring kernel
// columns. For a fully connected layer these are the products of all inputs that have the same number in `of_input`.
struct KernelSums {
  // An activation is cut into slices of `slice_bits` bits. The lowest `dropped` bits of a slice's product are left out.
  int slice_bits = 4;
  std::vector<int> dropped;  // by slice
  // This is added to a kernel's sum before the bits below output_bit are cut off.
  std::int64_t added = 0;
  int output_bit = 0;
  int channels = 1, columns = 1;
  std::vector<int> of_input;
};

}  // namespace fansim::arith
