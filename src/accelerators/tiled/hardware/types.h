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

// A half of a tile store has been filled, or been read and is free again.
struct Half {
  int index = 0;
  template <class F>
  void wires(F&& f) const {
    f("half", static_cast<std::uint64_t>(index), 1);
  }
};

// A part of a load has ended; in serial order it is the other stream's turn.
struct Turn {};

inline sim::RamPorts ram_ports(const StorePorts& p) { return {p.accesses(), p.written, p.read}; }

// The two halves of a tile store, dense arrays; who writes and who reads takes turns by Half tokens. What each half's
// ports move is counted; stores that are no part of a machine have as many as they like.
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

// Level 2: the weights of one step, code by code, [tn][tm].
struct WeightSet {
  std::vector<std::uint16_t> codes;
};

// The inputs of one point, tn of them (values, not codes; what lies outside the map is the zero point), and where their
// products go.
struct Point {
  std::array<std::int16_t, EngineConfig::kMaxFactor> values;
  int entry = 0;         // of the sums
  int half = 0;          // of the sums
  bool new_set = false;  // takes the next weight set
  bool first = false;    // the entry starts from zero
  bool last = false;     // the half's sums are complete behind this point
  template <class F>
  void wires(F&& f) const {
    f("entry", static_cast<std::uint64_t>(entry), 16);
    f("half", static_cast<std::uint64_t>(half), 1);
    f("new_set", new_set, 1);
    f("first", first, 1);
    f("last", last, 1);
  }
};

// The parameters of a layer's output channels.
struct ParameterStore {
  std::vector<ChannelParameters> channels;
};

}  // namespace fansim::tiled
