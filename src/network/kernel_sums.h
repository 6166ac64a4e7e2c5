// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "arith/lut_kernel.h"

namespace fansim::network {

// Which of a layer's products a machine sums in one kernel that rounds (docs/lut_kernels.md): those of a kernel row,
// `channels` neighbouring input channels and `columns` neighbouring kernel columns of a convolution; of a fully
// connected layer those whose inputs have the same number.
struct KernelSums {
  arith::LutKernelFormat format;
  int channels = 1, columns = 1;
  std::vector<int> of_input;
};

}  // namespace fansim::network
