// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "benches/kernel_bench.h"

namespace fansim::benches {

// What a bench counted, and how far its sums are from the exact ones.
std::string kernel_summary(const KernelStimulus& stimulus, const KernelBench& bench);

// LUTs of kernels with both sizes of a table, all bits and faithful.
std::string kernel_costs();

}  // namespace fansim::benches
