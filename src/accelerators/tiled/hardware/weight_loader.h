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

// The load function's weights: a layer's parameters, then walks the nest of tiles and asks for each tile's runs, from
// the reader of memory and, alike, from the decoder. In serial order one call of the function loads one thing, whole,
// before the next: the parameters first of all; then the inputs of a tile (of a block of the FC engine), then its
// weights, tile by tile.
// Throughput: one run per cycle.
// Latency:    none: a tile's first run leaves at the edge that sees room for the tile, and its turn.
// Stall:      while the weight store has no free half, it is not its turn, or a run cannot leave.
class WeightLoader final : public sim::Module {
 public:
  sim::StreamIn<TiledJob> job{"job"};
  sim::StreamOut<Extent> requests{"requests"};
  sim::StreamOut<WeightExtent> commands{"commands"};
  sim::StreamIn<Turn> done{"done"};  // from the decoder: a tile's last value, or the parameters' is in
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
  bool all_collected() const;  // no half that was freed waits
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
  bool parameters_ = false;           // are being asked for, in place of a tile
  bool parameters_awaited_ = false;   // are under way
  int next_run_ = 0, run_count_ = 0;  // of the tile
  int phases_ = 0;                    // to begin, behind that of the parameters
  int phase_tiles_ = 0;               // to begin, of this phase
  int under_way_ = 0;                 // begun and not complete

  LoadAccount account_{*this};
  sim::Counter runs_out_{*this, "runs", "runs", "runs of memory asked for"};
};

}  // namespace fansim::tiled
