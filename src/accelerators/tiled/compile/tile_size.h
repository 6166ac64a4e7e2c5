// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "accelerators/tiled/config/config.h"
#include "accelerators/tiled/config/tiled_job.h"
#include "compile/compile.h"

namespace fansim::tiled {

// Sets the output tile of a convolution: of those that every store holds, the one whose tiles compute fewest sums
// (poolings that overlap compute some twice), then the fewest tiles.
std::optional<compile::Misfit> choose_tile(TiledJob& job, const Config& config);

// Sets the weight tile and the input block of the FC engine: of the tiles that the store holds, the one that fills up
// fewest weights with nothing, then the largest; groups enough that a sum is not asked for before it is written.
std::optional<compile::Misfit> choose_fc_tile(TiledJob& job, const Config& config);

}  // namespace fansim::tiled
