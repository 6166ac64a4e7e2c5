// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "accelerators/tiled/config/encoding.h"
#include "accelerators/tiled/config/tiled_runs.h"

namespace fansim::tiled {

// The codes of runs in memory, whose byte 0 is `memory`.
void read_codes(const std::uint8_t* memory, const Run& run, const Encoding& encoding, std::uint16_t* codes);
// Leaves what lies beside the run; the byte in which it ends is written whole.
void write_codes(const std::uint16_t* codes, const Run& run, const Encoding& encoding, std::uint8_t* memory);
// Of weights, each to its place in a tile.
void read_codes(const std::uint8_t* memory, const WeightRun& weights, const Encoding& encoding,
                std::vector<std::uint16_t>& tile);

}  // namespace fansim::tiled
