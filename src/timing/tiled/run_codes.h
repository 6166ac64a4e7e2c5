// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "arch/encoding.h"
#include "arch/tiled_runs.h"

namespace fansim::timing {

// The codes of runs in memory, whose byte 0 is `memory`.
void read_codes(const std::uint8_t* memory, const arch::Run& run, const arch::Encoding& encoding, std::uint16_t* codes);
// Leaves what lies beside the run; the byte in which it ends is written whole.
void write_codes(const std::uint16_t* codes, const arch::Run& run, const arch::Encoding& encoding,
                 std::uint8_t* memory);
// Of weights, each to its place in a tile.
void read_codes(const std::uint8_t* memory, const arch::WeightRun& weights, const arch::Encoding& encoding,
                std::vector<std::uint16_t>& tile);

}  // namespace fansim::timing
