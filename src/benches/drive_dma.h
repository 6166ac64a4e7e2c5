// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "benches/dma_bench.h"

namespace fansim::benches {

// Returns the configuration of the DMA bench (configs/parts/axi_dma_bench.yaml) with `--set` overrides.
DmaBenchConfig dma_bench_config(const std::vector<std::string>& overrides);

// Plays a stimulus from the first edge to the last event.
std::vector<DmaEvent> drive_dma(const std::string& stimulus_file, const std::vector<std::string>& overrides);

// Writes "cycle,event,address,value", one line per event.
std::string events_csv(const std::vector<DmaEvent>& events);

}  // namespace fansim::benches
