// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arch/tiled_config.h"
#include "arch/tiled_job.h"
#include "compile/job.h"

namespace fansim::compile {

// Sets the output tile of a convolution: of those that every store holds, the one whose tiles compute fewest sums
// (poolings that overlap compute some twice), then the fewest tiles.
std::optional<Misfit> choose_tile(arch::TiledJob& job, const arch::TiledConfig& config);

// Sets the weight tile and the input block of the FC engine: of the tiles that the store holds, the one that fills up
// fewest weights with nothing, then the largest; groups enough that a sum is not asked for before it is written.
std::optional<Misfit> choose_fc_tile(arch::TiledJob& job, const arch::TiledConfig& config);

}  // namespace fansim::compile
