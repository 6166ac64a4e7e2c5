// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clones.h"

// What x86-64 alone has; FANSIM_PLAIN leaves it out there too, as any other architecture does.
#if defined(__x86_64__) && !defined(FANSIM_PLAIN)
#define FANSIM_X86_64
#endif

namespace fansim::kernels {

// Sixteen numbers; the compiler splits it where registers are narrower.
using Vector __attribute__((vector_size(16 * sizeof(float)))) = float;

}  // namespace fansim::kernels
