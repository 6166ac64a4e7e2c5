// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "accelerators/tiled/hardware/types.h"
#include "support/encoded.h"
#include "support/stream_bench.h"

// This file holds what the tests of the map and weight decoders share.
namespace fansim::test {

// Makes a beat full of noise except for codes at consecutive places.
inline tiled::ExtentBeat beat_of(const tiled::Encoding& e, int first, const std::uint16_t* codes, int count, bool last,
                                 base::Random& random) {
  tiled::ExtentBeat beat;
  for (std::uint8_t& byte : beat.data) byte = static_cast<std::uint8_t>(random.uniform(0, 255));
  const std::vector<int> at = places(e);
  for (int i = 0; i < count; ++i)
    set_bits(beat.data.data(), at[static_cast<std::size_t>(first + i)], e.value_bits, codes[i]);
  beat.last = last;
  return beat;
}

// An engine's store before a decoder: takes `filled` and keeps what the half held when its token was pushed.
template <class T>
struct FilledStore {
  FilledStore(const std::string& name, tiled::TileStore<T>& tile_store, sim::StreamOut<tiled::Half>& port, int stall)
      : store(tile_store), filled((name + "_filled").c_str()), sink((name + "_sink").c_str(), stall) {
    port(filled);
    sink.in(filled);
  }
  // Before the blocks step.
  void observe() {
    if (static_cast<std::size_t>(filled.shown()) == tiles.size()) return;
    halves.push_back(filled.newest().index);
    tiles.push_back(store[halves.back()]);
  }

  tiled::TileStore<T>& store;
  sim::Stream<tiled::Half> filled;
  Sink<tiled::Half> sink;
  std::vector<std::vector<T>> tiles;
  std::vector<int> halves;
};

}  // namespace fansim::test
