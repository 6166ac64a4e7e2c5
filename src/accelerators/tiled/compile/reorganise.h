// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "accelerators/tiled/config/config.h"
#include "accelerators/tiled/config/tiled_job.h"

namespace fansim::tiled {

// The memory image of a layer's weights from their codes in natural order, [output][input][k]: packed as they are, or
// reorganised (FAQ-CNN 2.4, algorithm 1 and Fig 8) so that every tile is one run, tiles in their order of use:
// * a convolution's tile (m, n) is rows [k][ti] of tm codes, each row filled up to whole beats;
// * a tile of the FC engine is one row [j][g][ti][to].
// Channels that the layer lacks have code 0.
std::vector<std::uint8_t> weight_image(const std::vector<std::uint16_t>& codes, const TiledJob& job,
                                       const EngineConfig& engine, const Encoding& encoding, bool reorganised);

}  // namespace fansim::tiled
