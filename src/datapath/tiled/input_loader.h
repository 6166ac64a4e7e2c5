// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "arch/map_runs.h"
#include "arch/tile_nest.h"
#include "arch/tiled_runs.h"
#include "datapath/tiled/load_account.h"
#include "datapath/tiled/types.h"
#include "sim/module.h"
#include "sim/stream.h"

namespace fansim::datapath {

// The load function's inputs: walks the nest of tiles and asks for each tile's runs, from the reader of memory and,
// alike, from the decoder. In serial order a tile waits for its turn, and hands it over when its last value is in.
// Throughput: one run per cycle.
// Latency:    none: a tile's first run leaves at the edge that sees room for the tile, and its turn.
// Stall:      while the input store has no free half, it is not its turn, or a run cannot leave.
class InputLoader final : public sim::Module {
 public:
  sim::StreamIn<arch::TiledJob> job{"job"};
  sim::StreamOut<arch::Run> requests{"requests"};
  sim::StreamOut<arch::MapRun> commands{"commands"};
  sim::StreamIn<Turn> done{"done"};  // from the decoder: a tile's last value is in
  sim::StreamIn<Turn> turn{"turn"};
  sim::StreamOut<Turn> turn_over{"turn_over"};
  sim::StreamIn<Half> freed_conv{"freed_conv"}, freed_first{"freed_first"}, freed_fc{"freed_fc"};

  InputLoader(const sc_core::sc_module_name& name, const arch::TiledConfig& config);

  const LoadAccount& account() const { return account_; }

 private:
  void step() override;
  void collect();
  bool begin_tile();
  void next_tile();
  void issue();

  const arch::TiledConfig& config_;
  std::array<sim::StreamIn<Half>*, arch::TiledConfig::kEngines> freed_{&freed_conv, &freed_first, &freed_fc};
  std::array<int, arch::TiledConfig::kEngines> credits_{};

  bool busy_ = false;  // a layer is under way
  arch::TiledJob job_;
  arch::MapRuns runs_;
  int m_ = 0, y_ = 0, x_ = 0, n_ = 0;

  LoadAccount account_{*this};
  sim::Counter runs_out_{*this, "runs", "runs", "runs of memory asked for"};
};

}  // namespace fansim::datapath
