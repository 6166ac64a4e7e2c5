// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "accelerators/stream/config/command.h"
#include "compile/compile.h"

namespace fansim::stream {

// Bytes that one MM2S transfer brings from DDR; none if `bytes` is 0.
struct Transfer {
  std::uint32_t address = 0;
  std::uint32_t bytes = 0;
};

inline bool operator==(const Transfer& a, const Transfer& b) { return a.address == b.address && a.bytes == b.bytes; }

// A command and what must lie in the buffers when it starts. Selects and receive bits are the host program's affair.
struct Job {
  Command command;
  Transfer input, weights, bias;  // of the half that is read
  Transfer resident;              // of the resident weight store
};

}  // namespace fansim::stream
