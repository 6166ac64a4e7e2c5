// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "accelerators/tiled/config/config.h"
#include "accelerators/tiled/config/tiled_job.h"

namespace fansim::tiled {

// Holds codes of weights in natural order, [output][input][k], with one byte each or two, little-endian.
struct WeightCodes {
  const std::int8_t* bytes;
  bool two;
};

// Writes the memory image of a layer's weights, whose size is that of WeightExtents. The weights are packed in natural
// order, or reorganised (FAQ-CNN 2.4, algorithm 1 and Fig 8) so that every tile is one run and tiles are in the order
// of their use:
// * a convolution's tile (m, n) consists of rows [k][ti] of tm codes, each row padded to whole beats;
// * a tile of the FC engine is one row [j][g][ti][to].
// Channels that the layer does not have get code 0.
void weight_image(const WeightCodes& codes, const TiledJob& job, const EngineConfig& engine, const Encoding& encoding,
                  bool reorganised, std::uint8_t* image);

}  // namespace fansim::tiled
