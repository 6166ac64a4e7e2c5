// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace fansim::axi {

// What a LENGTH write starts in a DMA engine: `bytes` bytes from or to any byte address.
struct TransferCommand {
  std::uint32_t address = 0;
  std::uint32_t bytes = 0;
  template <class F>
  void wires(F&& f) const {
    f("address", address, 32), f("bytes", bytes, 26);
  }
};

struct TransferDone {};

}  // namespace fansim::axi
