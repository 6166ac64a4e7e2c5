// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace fansim::arith {

// Which of a layer's products a machine sums in one kernel that rounds (docs/lut_kernels.md): those of a kernel row,
// `channels` neighbouring input channels and `columns` neighbouring kernel columns of a convolution; of a fully
// connected layer those whose inputs have the same number.
struct KernelSums {
  // An activation is cut into slices of so many bits; of a slice's product the lowest `dropped` ones are left out.
  int slice_bits = 4;
  std::vector<int> dropped;  // by slice
  // Added to a kernel's sum before the bits below output_bit are cut off.
  std::int64_t added = 0;
  int output_bit = 0;
  int channels = 1, columns = 1;
  std::vector<int> of_input;
};

}  // namespace fansim::arith
