// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/options/options.h"

namespace fansim::cli {

// `drive lut_kernel STIMULUS.csv`: one reconfigurable-LUT kernel alone; returns an ExitCode.
int drive_kernel(const Options& options);
// `describe lut_kernel`.
void describe_kernel();

}  // namespace fansim::cli
