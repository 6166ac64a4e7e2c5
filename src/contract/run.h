// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace fansim::contract {

// Consecutive values in memory, and the beats that hold them: `values` values after the first `skip` of the first beat.
struct Run {
  std::uint32_t address = 0;  // of the first beat
  int beats = 0;
  int skip = 0;
  int values = 0;
  bool last = false;  // of a tile
  template <class F>
  void wires(F&& f) const {
    f("address", address, 32), f("beats", static_cast<std::uint64_t>(beats), 32),
        f("skip", static_cast<std::uint64_t>(skip), 16), f("values", static_cast<std::uint64_t>(values), 32),
        f("last", last, 1);
  }
};

// One beat of a run, as the port delivers or takes it.
struct RunBeat {
  std::array<std::uint8_t, 64> data{};
  std::uint64_t strobe = 0;  // written only: bytes that count
  bool last = false;         // of the run
  template <class F>
  void wires(F&& f) const {
    f("strobe", strobe, 64), f("last", last, 1);
  }
};

// All responses of a run that is a tile's last, and of those before it, are in.
struct TileWritten {};

}  // namespace fansim::contract
