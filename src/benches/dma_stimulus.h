// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "benches/dma_driver.h"

namespace fansim::benches {

struct DmaOpHelp {
  const char* name;
  DmaOp::Kind kind;
  const char* address;  // what the columns hold; empty: nothing
  const char* value;
  const char* meaning;
};
const std::vector<DmaOpHelp>& dma_ops();

// Reads the steps of a stimulus file. It has a column `op` and, where needed, `cycle`, `address` and `value`; numbers
// are decimal or 0x hexadecimal. `memory_bytes` bounds poke and peek. Throws UserError with the place of the error.
std::vector<DmaOp> parse_dma_stimulus(const std::string& text, const std::string& file, std::uint64_t memory_bytes);

}  // namespace fansim::benches
