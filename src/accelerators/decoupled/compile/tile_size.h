// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/decoupled/compile/work.h"
#include "compile/compile.h"

namespace fansim::decoupled {

struct TileSize {
  int rows = 1, columns = 1;    // of outputs
  int inputs = 1, outputs = 1;  // channels
};

// Return the number of halves of the input, weight and sum buffers.
int input_halves(const TileLimits& limits, const Config& config);
int weight_halves(const TileLimits& limits, const Config& config);
int sum_halves(const TileLimits& limits, const Config& config);

// Holds the capacity of a half: vectors of inputs, blocks of weights, vectors of sums.
struct Room {
  std::int64_t inputs = 0, weights = 0, sums = 0;
};
Room room_of(const TileLimits& limits, const Config& config);

// Returns the channels of a tile, which are the same for tiles and for lines.
TileSize channels_of(const Work& work, const TileLimits& limits, const Config& config);
// Returns the largest tile within the limits for which the buffers have room. It maximises columns before rows.
compile::Fit<TileSize> choose_tile(const Work& work, const TileLimits& limits, const Config& config);

// Names a buffer of a configuration by its key.
struct BufferKey {
  const char* name;
  int kib;
};

// Returns nothing if the buffer, or the half of it that a tile has, is large enough; otherwise the reason why it is
// not. `what` describes the tile.
std::optional<compile::Misfit> beyond(std::int64_t need, std::int64_t limit, std::int64_t unit_bytes,
                                      const BufferKey& key, const std::string& what);

}  // namespace fansim::decoupled
