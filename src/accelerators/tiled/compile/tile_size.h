// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "accelerators/tiled/config/config.h"
#include "accelerators/tiled/config/tiled_job.h"
#include "compile/compile.h"

namespace fansim::tiled {

// Sets the output tile of a convolution. It takes, from the tiles that fit every store, the one whose tiles compute the
// fewest sums (overlapping poolings compute some twice), then the one with the fewest tiles.
std::optional<compile::Misfit> choose_tile(TiledJob& job, const Config& config);

// Sets the weight tile and the input block of the FC engine. It takes, from the tiles that fit the store, the one with
// the fewest padding weights, then the largest. A tile has enough groups that a sum is written before it is read again.
std::optional<compile::Misfit> choose_fc_tile(TiledJob& job, const Config& config);

}  // namespace fansim::tiled
