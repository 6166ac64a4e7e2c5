// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "benches/kernel_bench.h"

namespace fansim::benches {

// Reports what a bench counted, and how far its sums are from the exact ones.
std::string kernel_summary(const KernelStimulus& stimulus, const KernelBench& bench);

// Lists the LUTs of kernels with both sizes of tables, with full and with faithful rounding.
std::string kernel_costs();

}  // namespace fansim::benches
