// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/options/options.h"

namespace fansim::cli {

// Runs `drive dma STIMULUS.csv`: the AXI DMA alone. Returns an ExitCode.
int drive_dma(const Options& options);
// Prints `describe drive-dma`.
void describe_drive_dma();

}  // namespace fansim::cli
