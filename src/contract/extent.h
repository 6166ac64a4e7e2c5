// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace fansim::contract {

// A range of consecutive values in memory, and the beats that hold it. The values begin after the first `skip` values
// of the first beat.
struct Extent {
  std::uint32_t address = 0;  // address of the first beat
  int beats = 0;
  int skip = 0;
  int values = 0;
  bool last = false;  // the last extent of a tile
  template <class F>
  void wires(F&& f) const {
    f("address", address, 32);
    f("beats", static_cast<std::uint64_t>(beats), 32);
    f("skip", static_cast<std::uint64_t>(skip), 16);
    f("values", static_cast<std::uint64_t>(values), 32);
    f("last", last, 1);
  }
};

// One beat of an extent, as the port delivers or takes it.
struct ExtentBeat {
  std::array<std::uint8_t, 64> data{};
  std::uint64_t strobe = 0;  // for writes: which bytes are written
  bool last = false;         // the last beat of the extent
  template <class F>
  void wires(F&& f) const {
    f("strobe", strobe, 64);
    f("last", last, 1);
  }
};

// Says that all responses to a tile's extents have arrived.
struct TileWritten {};

}  // namespace fansim::contract
