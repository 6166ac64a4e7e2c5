// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clones.h"

namespace fansim::kernels {

// Sixteen numbers; the compiler splits it where registers are narrower.
using Vector __attribute__((vector_size(16 * sizeof(float)))) = float;

}  // namespace fansim::kernels
