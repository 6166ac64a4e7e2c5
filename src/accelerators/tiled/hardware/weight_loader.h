// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>

#include "accelerators/tiled/config/load_order.h"
#include "accelerators/tiled/hardware/load_account.h"
#include "accelerators/tiled/hardware/types.h"
#include "sim/module.h"
#include "sim/stream.h"

namespace fansim::tiled {

// Loads a layer's parameters, then its weights: it walks the nest of tiles and asks the reader of memory and the
// decoder alike for each tile's extents. In serial order each thing is loaded as a whole before the next: first the
// parameters; then, tile by tile, the inputs of a tile (with the FC engine, of a block) and its weights.
// Throughput: one run per cycle.
// Latency:    none: a tile's first run leaves at the edge that sees room for the tile, and its turn.
// Stall:      while the weight store has no free half, it is not its turn, or a run cannot leave.
class WeightLoader final : public sim::Module {
 public:
  sim::StreamIn<TiledJob> job{"job"};
  sim::StreamOut<Extent> requests{"requests"};
  sim::StreamOut<WeightExtent> commands{"commands"};
  sim::StreamIn<Turn> done{"done"};  // from the decoder: a tile's last value is in, or the last parameter
  sim::StreamIn<Turn> turn{"turn"};
  sim::StreamOut<Turn> turn_over{"turn_over"};
  sim::StreamIn<Half> freed_conv{"freed_conv"}, freed_first{"freed_first"}, freed_fc{"freed_fc"};

  WeightLoader(const sc_core::sc_module_name& name, const Config& config);

  const LoadAccount& account() const { return account_; }
  bool loads_parameters() const { return parameters_ || parameters_awaited_; }

 private:
  void step() override;
  bool serial() const { return config_.load.order == LoadOrder::serial; }
  void await();
  void collect();
  bool all_collected() const;  // no freed half waits to be collected
  bool begin_phase();
  void begin_layer();
  bool begin_tile();
  void issue();

  const Config& config_;
  std::array<sim::StreamIn<Half>*, Config::kEngines> freed_{&freed_conv, &freed_first, &freed_fc};
  int conv_credits_;  // the first layer's engine shares the convolutions' store
  int fc_credits_ = 2;

  TiledJob job_;
  std::optional<WeightOrder> order_;
  WeightTile tile_;
  bool parameters_ = false;           // parameters are being asked for, instead of a tile
  bool parameters_awaited_ = false;   // parameters are under way
  int next_run_ = 0, run_count_ = 0;  // next extent of the tile, and their number
  int phases_ = 0;                    // phases that have not begun, after that of the parameters
  int phase_tiles_ = 0;               // tiles of this phase that have not begun
  int under_way_ = 0;                 // tiles that have begun and are not complete

  LoadAccount account_{*this};
  sim::Counter runs_out_{*this, "runs", "runs", "runs of memory asked for"};
};

}  // namespace fansim::tiled
