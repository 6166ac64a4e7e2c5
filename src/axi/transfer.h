// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace fansim::axi {

// What a LENGTH write, or a descriptor, has a DMA engine do: `bytes` bytes from or to any byte address. `ends`: the
// packet ends with them; otherwise it goes on in the next command. `fresh`: the first since the channel was set
// running, which inherits nothing from a packet cut short before.
struct TransferCommand {
  std::uint64_t address = 0;
  std::uint32_t bytes = 0;
  bool ends = true;
  bool fresh = false;
  template <class F>
  void wires(F&& f) const {
    f("address", address, 64), f("bytes", bytes, 26), f("ends", ends, 1);
  }
};

// `bytes` were moved; S2MM says whether a packet began and ended with them. `errors` are DMASR's bits.
struct TransferDone {
  std::uint32_t bytes = 0;
  std::uint32_t errors = 0;
  bool begins = true;
  bool ends = true;
  template <class F>
  void wires(F&& f) const {
    f("bytes", bytes, 26), f("errors", errors, 12), f("ends", ends, 1);
  }
};

// The registers to the descriptor engine of one channel: process descriptors up to and including `tail`. `first`: begin
// at `current`, else behind the last one.
struct DescriptorStart {
  std::uint64_t current = 0;
  std::uint64_t tail = 0;
  bool first = false;
  bool cyclic = false;  // no tail, and no look at Cmplt (DMACR, Cyclic BD Enable)
};

// The engine to the registers.
struct DescriptorEvent {
  enum class Kind : std::uint8_t { packet_began, updated, stopped } kind = Kind::updated;
  std::uint64_t address = 0;  // of the descriptor
  std::uint32_t errors = 0;   // DMASR's bits
  bool packet_ended = false;
  int starts = 0;  // stopped: after as many DescriptorStarts
};

}  // namespace fansim::axi
