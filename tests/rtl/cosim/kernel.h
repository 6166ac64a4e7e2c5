// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "contract/lut_kernel.h"
#include "cosim/session.h"
#include "support/lut_kernel.h"

namespace fansim::cosim {

// Parameters that a twin does not have keep the values of the SystemC blocks.
inline contract::LutKernelConfig kernel_of(const Parameters& p) {
  return test::kernel_of(p["INPUTS"], p.get("INPUT_BITS", 8), p["COEFFICIENT_BITS"], p.get("FAITHFUL", 0) == 1,
                         p.get("SHADOW", 1) == 1);
}

}  // namespace fansim::cosim
