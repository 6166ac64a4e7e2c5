// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "accelerators/tiled/config/config.h"
#include "accelerators/tiled/config/tiled_job.h"

namespace fansim::tiled {

// Weights' codes in natural order, [output][input][k]: a byte each or two, little-endian.
struct WeightCodes {
  const std::int8_t* bytes;
  bool two;
};

// Writes the memory image of a layer's weights, as many bytes as WeightRuns has: packed as they are, or reorganised
// (FAQ-CNN 2.4, algorithm 1 and Fig 8) so that every tile is one run, tiles in their order of use:
// * a convolution's tile (m, n) is rows [k][ti] of tm codes, each row filled up to whole beats;
// * a tile of the FC engine is one row [j][g][ti][to].
// Channels that the layer lacks have code 0.
void weight_image(const WeightCodes& codes, const TiledJob& job, const EngineConfig& engine, const Encoding& encoding,
                  bool reorganised, std::uint8_t* image);

}  // namespace fansim::tiled
