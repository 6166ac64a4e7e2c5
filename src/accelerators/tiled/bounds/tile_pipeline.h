// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/tiled/config/config.h"
#include "accelerators/tiled/config/tile_nest.h"

namespace fansim::tiled {

// The least cycles from a convolution's start to its last value stored: its tiles one after another through load,
// compute, post-processing and store, each stage as fast as it can be, none before the halves of the stores that it
// needs are filled and free (docs/tiled.md). 0: too many tiles to look at.
double least_pipeline_cycles(const Config& config, const TiledJob& job);

}  // namespace fansim::tiled
