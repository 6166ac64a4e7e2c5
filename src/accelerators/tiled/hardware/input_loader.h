// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>

#include "accelerators/tiled/config/load_order.h"
#include "accelerators/tiled/config/tiled_runs.h"
#include "accelerators/tiled/hardware/load_account.h"
#include "accelerators/tiled/hardware/types.h"
#include "sim/module.h"
#include "sim/stream.h"

namespace fansim::tiled {

// Loads inputs: walks the nest of tiles and asks the reader of memory and the decoder alike for each tile's extents. In
// serial order a tile waits for its turn, and hands the turn over when its last value is in.
// Throughput: one run per cycle.
// Latency:    none: a tile's first run leaves at the edge that sees room for the tile, and its turn.
// Stall:      while the input store has no free half, it is not its turn, or a run cannot leave.
class InputLoader final : public sim::Module {
 public:
  sim::StreamIn<TiledJob> job{"job"};
  sim::StreamOut<Extent> requests{"requests"};
  sim::StreamOut<MapExtent> commands{"commands"};
  sim::StreamIn<Turn> done{"done"};  // from the decoder: a tile's last value is in
  sim::StreamIn<Turn> turn{"turn"};
  sim::StreamOut<Turn> turn_over{"turn_over"};
  sim::StreamIn<Half> freed_conv{"freed_conv"}, freed_first{"freed_first"}, freed_fc{"freed_fc"};

  InputLoader(const sc_core::sc_module_name& name, const Config& config);

  const LoadAccount& account() const { return account_; }

 private:
  void step() override;
  void await();
  void collect();
  bool all_collected() const;  // no freed half waits to be collected
  bool begin_tile();
  void issue();

  const Config& config_;
  std::array<sim::StreamIn<Half>*, Config::kEngines> freed_{&freed_conv, &freed_first, &freed_fc};
  std::array<int, Config::kEngines> credits_{};

  bool left() const { return order_ && !order_->done(); }  // tiles of the current layer are left

  TiledJob job_;
  std::optional<InputOrder> order_;
  MapExtents runs_;

  LoadAccount account_{*this};
  sim::Counter runs_out_{*this, "runs", "runs", "runs of memory asked for"};
};

}  // namespace fansim::tiled
