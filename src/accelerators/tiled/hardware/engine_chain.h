// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/tiled/config/code_book.h"
#include "accelerators/tiled/config/config.h"
#include "accelerators/tiled/hardware/sum_store.h"
#include "accelerators/tiled/hardware/tile_engine.h"
#include "accelerators/tiled/hardware/tile_walker.h"
#include "accelerators/tiled/hardware/weight_feeder.h"

namespace fansim::tiled {

// Holds one computing engine and its stores: inputs -> walker -> engine <- feeder <- level-1 weights; the engine ->
// sums.
class EngineChain final : public sc_core::sc_module {
 public:
  EngineChain(const sc_core::sc_module_name& name, const Config& config, int number, TileStore<std::uint16_t>& level1,
              const CodeBook& book, bool values);

  TileStore<std::int16_t> inputs;
  SumStore sums;
  TileWalker walker;
  WeightFeeder feeder;
  TileEngine engine;

  // Returns whether everything of the jobs so far has been computed.
  bool empty() const { return walker.empty() && points_.empty() && engine.empty(); }

 private:
  sim::Stream<Point> points_{"points"};
  sim::Stream<WeightSet> sets_{"sets"};
};

}  // namespace fansim::tiled
