// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clones.h"

// FANSIM_X86_64 is defined where code may use what only x86-64 has. FANSIM_PLAIN leaves that code out, as on any other
// architecture.
#if defined(__x86_64__) && !defined(FANSIM_PLAIN)
#define FANSIM_X86_64
#endif

namespace fansim::kernels {

// Sixteen floats. The compiler splits them where registers are narrower.
using Vector __attribute__((vector_size(16 * sizeof(float)))) = float;

}  // namespace fansim::kernels
