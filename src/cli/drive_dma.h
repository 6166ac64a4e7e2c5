// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/options.h"

namespace fansim::cli {

// `fansim drive dma STIMULUS.csv`: one AXI DMA, its register accesses as the stimulus.
int drive_dma(const Options& options);
// `fansim describe drive-dma`: the columns, the steps and the parameters.
void describe_drive_dma();

}  // namespace fansim::cli
