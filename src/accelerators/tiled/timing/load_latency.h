// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/tiled/config/config.h"
#include "timing/edge.h"

namespace fansim::tiled {

// Returns the cycles of the fabric's clock from the edge at which a loader asks for a run to the edge at which its
// first beat is decoded, less the beat, if nothing else is on the way: what ReadPath says of a run by itself, at the
// best alignment of the two clocks. A banked DDR counts as one that answers at once, and all
// beats count as the accelerator's.
timing::Edge least_load_latency(const Config& config);

}  // namespace fansim::tiled
