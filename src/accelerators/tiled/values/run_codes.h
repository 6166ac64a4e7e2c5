// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "accelerators/tiled/config/encoding.h"
#include "accelerators/tiled/config/tiled_runs.h"

namespace fansim::tiled {

// Reads the codes of a run. `memory` is byte 0 of the memory.
void read_codes(const std::uint8_t* memory, const Extent& run, const Encoding& encoding, std::uint16_t* codes);
// Writes the codes of a run. It leaves the data beside the run unchanged, but writes the byte in which the run ends as
// a whole.
void write_codes(const std::uint16_t* codes, const Extent& run, const Encoding& encoding, std::uint8_t* memory);
// Reads codes of weights, each to its place in a tile.
void read_codes(const std::uint8_t* memory, const WeightExtent& weights, const Encoding& encoding,
                std::vector<std::uint16_t>& tile);

}  // namespace fansim::tiled
