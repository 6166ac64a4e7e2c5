// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/tiled/config/config.h"
#include "accelerators/tiled/config/tile_nest.h"

namespace fansim::tiled {

// Returns a lower bound of the cycles from a convolution's start to its last stored value. Tiles pass through load,
// compute, post-processing and store one after another. Each stage is as fast as it can be, but waits until the halves
// of the stores that it needs are filled or free (docs/tiled.md). 0: there are too many tiles to examine.
double least_pipeline_cycles(const Config& config, const TiledJob& job);

}  // namespace fansim::tiled
