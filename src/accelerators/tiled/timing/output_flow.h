// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "accelerators/tiled/config/map_runs.h"
#include "accelerators/tiled/config/tile_nest.h"
#include "accelerators/tiled/timing/tile_loads.h"
#include "accelerators/tiled/timing/write_stream.h"
#include "timing/queue.h"

namespace fansim::tiled {

// Computes what tiled::PostProcess and StoreUnit do, a job at a time. Tokens carry the edges at which they are pushed.
class OutputFlow {
 public:
  OutputFlow(const Config& config, WriteStream& path);

  void begin(const TiledJob& job, timing::Edge pushed);
  bool advance();

  timing::Queue<timing::Edge> sums_complete, parameters;  // in
  timing::Queue<timing::Edge> sums_freed;                 // out
  TileAccount account;                                    // of the store stage
  std::int64_t reads = 0;                                 // cycles in which sums were read
  std::vector<timing::Span> post_spans;                   // of the job, in which sums were read or processed
  // Whether the job's last tile is written, and when.
  bool done() const { return to_end_ == 0; }
  timing::Edge end() const { return end_; }

 private:
  bool process();
  bool begin_tile();
  bool end_tile();
  MapExtents next_runs();
  int reads_of(int tile) const;

  const Config& config_;
  WriteStream& path_;
  const timing::Edge post_latency_;
  TiledJob job_;
  std::optional<TileNest> nest_;

  // Post-processing.
  int to_process_ = 0, tile_ = 0;
  timing::Edge process_from_ = 0;
  int free_outputs_ = StoreConfig::kHalves;
  timing::Queue<timing::Edge> complete_;

  // Store unit.
  int to_begin_ = 0, to_end_ = 0;
  int m_ = 0, y_ = 0, x_ = 0;
  timing::Edge end_ = 0;
};

}  // namespace fansim::tiled
