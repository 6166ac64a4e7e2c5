// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/options/options.h"

namespace fansim::cli {

// Runs `drive lut_kernel STIMULUS.csv`: one reconfigurable LUT kernel alone. Returns an ExitCode.
int drive_kernel(const Options& options);
// Prints `describe lut_kernel`.
void describe_kernel();

}  // namespace fansim::cli
