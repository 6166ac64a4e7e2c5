// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arch/tiled_config.h"
#include "datapath/tiled/sum_store.h"
#include "datapath/tiled/tile_engine.h"
#include "datapath/tiled/tile_walker.h"
#include "datapath/tiled/weight_feeder.h"

namespace fansim::systems {

// One computing engine with its stores: inputs -> walker -> engine <- feeder <- level-1 weights; the engine -> sums.
class EngineChain final : public sc_core::sc_module {
 public:
  EngineChain(const sc_core::sc_module_name& name, const arch::TiledConfig& config, int number,
              datapath::TileStore<std::uint16_t>& level1, const datapath::CodeBook& book, bool values);

  datapath::TileStore<std::int16_t> inputs;
  datapath::SumStore sums;
  datapath::TileWalker walker;
  datapath::WeightFeeder feeder;
  datapath::TileEngine engine;

  // Everything of the jobs so far has been computed.
  bool empty() const { return walker.empty() && points_.empty() && engine.empty(); }

 private:
  sim::Stream<datapath::Point> points_{"points"};
  sim::Stream<datapath::WeightSet> sets_{"sets"};
};

}  // namespace fansim::systems
