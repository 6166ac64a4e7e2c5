// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace fansim::axi {

// Tells a DMA engine to move `bytes` bytes from or to any byte address; a write to LENGTH or a descriptor makes it.
// `ends` says that the packet ends with them; otherwise it goes on in the next command. `fresh` marks the first command
// since the channel was set running, which inherits nothing from a packet that was cut short.
struct TransferCommand {
  std::uint64_t address = 0;
  std::uint32_t bytes = 0;
  bool ends = true;
  bool fresh = false;
  template <class F>
  void wires(F&& f) const {
    f("address", address, 64);
    f("bytes", bytes, 26);
    f("ends", ends, 1);
  }
};

// Says that `bytes` bytes were moved. S2MM says whether a packet began and ended with them. `errors` are bits of DMASR.
struct TransferDone {
  std::uint32_t bytes = 0;
  std::uint32_t errors = 0;
  bool begins = true;
  bool ends = true;
  template <class F>
  void wires(F&& f) const {
    f("bytes", bytes, 26);
    f("errors", errors, 12);
    f("ends", ends, 1);
  }
};

// Sent by the registers to the descriptor engine of one channel: process descriptors up to and including `tail`. With
// `first`, begin at `current`, otherwise after the last one.
struct DescriptorStart {
  std::uint64_t current = 0;
  std::uint64_t tail = 0;
  bool first = false;
  bool cyclic = false;  // there is no tail, and Cmplt is ignored (DMACR, Cyclic BD Enable)
};

// Sent by the descriptor engine to the registers.
struct DescriptorEvent {
  enum class Kind : std::uint8_t { packet_began, updated, stopped } kind = Kind::updated;
  std::uint64_t address = 0;  // address of the descriptor
  std::uint32_t errors = 0;   // bits of DMASR
  bool packet_ended = false;
  int starts = 0;  // stopped: number of DescriptorStarts that the engine had taken
};

}  // namespace fansim::axi
