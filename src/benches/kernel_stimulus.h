// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "blocks/lut_types.h"
#include "contract/lut_kernel.h"

namespace fansim::benches {

// Describes what `fansim drive lut_kernel` plays: sets of coefficients, each followed by vectors of inputs.
struct KernelStimulus {
  contract::LutKernelConfig config;
  std::vector<blocks::Coefficients> sets;
  std::vector<blocks::KernelInputs> vectors;
  std::vector<std::int64_t> exact;  // exact sum of each vector
};

// Reads a file with the columns op, v0, v1, ...: a row is `coefficients` or `inputs`, followed by as many values as the
// kernel has inputs. `settings` are key=value of contract::LutKernelConfig. Throws base::UserError, also for a kernel
// whose error has no bound.
KernelStimulus parse_kernel_stimulus(std::string_view text, const std::string& file,
                                     const std::vector<std::string>& settings);

}  // namespace fansim::benches
