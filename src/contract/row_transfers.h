// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

namespace fansim::contract {

// What a data mover is told about an image in memory, in the manner of an AXI VDMA (PG020: start address, horizontal
// size, stride, vertical size).
struct RowTransfers {
  std::uint32_t address = 0, pitch = 0, row_bytes = 0, rows = 0;

  // Returns how many rows one transfer of at most `longest` bytes moves: several only if there is no gap between rows.
  std::uint32_t at_once(std::uint32_t longest) const {
    if (pitch != row_bytes || row_bytes == 0) return 1;
    return std::max<std::uint32_t>(1, std::min(longest / row_bytes, rows));
  }
};

}  // namespace fansim::contract
