// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/tiled/config/map_runs.h"
#include "accelerators/tiled/config/tile_nest.h"
#include "accelerators/tiled/config/tiled_runs.h"
#include "accelerators/tiled/hardware/load_account.h"
#include "accelerators/tiled/hardware/types.h"
#include "sim/module.h"
#include "sim/reg.h"
#include "sim/stream.h"

namespace fansim::tiled {

// Walks the output tiles and has each complete one written: it issues the extents that encoder and writer carry out.
// Throughput: one run per cycle.
// Latency:    none: a tile's first run leaves at the edge that sees it complete.
// Stall:      while no tile is complete, or a run cannot leave.
class StoreUnit final : public sim::Module {
 public:
  sim::StreamIn<TiledJob> job{"job"};
  sim::StreamIn<Half> complete{"complete"};
  sim::StreamOut<Half> half{"half"};  // to the encoder, with the tile's first run
  sim::StreamOut<Extent> requests{"requests"};
  sim::StreamOut<Extent> commands{"commands"};
  sim::StreamIn<TileWritten> written{"written"};

  StoreUnit(const sc_core::sc_module_name& name, const Config& config);

  // Return the layers whose last tile has been written, as a number and as the register behind the interrupt line. The
  // line is high from the edge after the one that learns of the last write.
  std::int64_t layers_done() const { return layers_done_.get(); }
  const sim::Reg<std::int64_t>& layer_interrupt() const { return layers_done_; }
  // Returns whether the layer's last tile is on its way to memory.
  bool last_tile() const { return busy_ && tiles_left_ == 0; }
  const LoadAccount& account() const { return account_; }

 private:
  void step() override;
  void begin_layer();
  void begin_tile();
  void issue();

  const Config& config_;
  bool busy_ = false;
  TiledJob job_;
  MapExtents runs_;
  int tiles_left_ = 0;  // tiles that have not begun
  int under_way_ = 0;
  int m_ = 0, y_ = 0, x_ = 0;
  sim::Reg<std::int64_t> layers_done_{*this, "layers_done"};

  LoadAccount account_{*this};
  sim::Counter runs_out_{*this, "runs", "runs", "runs of memory written"};
};

}  // namespace fansim::tiled
