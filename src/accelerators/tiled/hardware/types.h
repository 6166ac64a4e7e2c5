// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "accelerators/tiled/config/channel_parameters.h"
#include "accelerators/tiled/config/code_book.h"
#include "accelerators/tiled/config/config.h"
#include "accelerators/tiled/config/store_ports.h"
#include "accelerators/tiled/config/tile_nest.h"
#include "accelerators/tiled/config/tiled_job.h"
#include "sim/ram_ports.h"

namespace fansim::tiled {

// Says that a half of a tile store has been filled, or has been read and is free again.
struct Half {
  int index = 0;
  template <class F>
  void wires(F&& f) const {
    f("half", static_cast<std::uint64_t>(index), 1);
  }
};

// Says that a part of a load has ended. In serial order, it is then the other stream's turn.
struct Turn {};

inline sim::RamPorts ram_ports(const StorePorts& p) { return {p.accesses(), p.written, p.read}; }

// Holds the two halves of a tile store as dense arrays. Writer and reader take turns by Half tokens. Accesses to each
// half's ports are counted; a store that is no part of a machine has no limit.
template <class T>
struct TileStore {
  TileStore(int halves, std::size_t values, const sim::RamPorts& of_half = {}) {
    ports.fill(of_half);
    for (int i = 0; i < halves; ++i) half[static_cast<std::size_t>(i)].resize(values);
  }
  std::array<std::vector<T>, 2> half;
  std::array<sim::RamPorts, 2> ports;
  sim::RamPorts& port(int i) { return ports[static_cast<std::size_t>(i)]; }
  std::vector<T>& operator[](int i) { return half[static_cast<std::size_t>(i)]; }
};

// Holds level 2: the weights of one step, code by code, [tn][tm].
struct WeightSet {
  std::vector<std::uint16_t> codes;
};

// Holds the tn inputs of one point, and where their products go. Inputs are values, not codes; outside the map they are
// the zero point.
struct Point {
  std::array<std::int16_t, EngineConfig::kMaxFactor> values;
  int entry = 0;         // entry of the sums
  int half = 0;          // half of the sums
  bool new_set = false;  // takes the next weight set
  bool first = false;    // the entry starts from zero
  bool last = false;     // the half's sums are complete after this point
  template <class F>
  void wires(F&& f) const {
    f("entry", static_cast<std::uint64_t>(entry), 16);
    f("half", static_cast<std::uint64_t>(half), 1);
    f("new_set", new_set, 1);
    f("first", first, 1);
    f("last", last, 1);
  }
};

// Holds the parameters of a layer's output channels.
struct ParameterStore {
  std::vector<ChannelParameters> channels;
};

}  // namespace fansim::tiled
