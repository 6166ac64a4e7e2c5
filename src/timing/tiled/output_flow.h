// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "arch/map_runs.h"
#include "arch/tile_nest.h"
#include "timing/queue.h"
#include "timing/tiled/tile_loads.h"
#include "timing/tiled/write_path.h"

namespace fansim::timing {

// datapath::PostProcess and StoreUnit, a job at a time. Tokens carry the edges at which they are pushed.
class OutputFlow {
 public:
  OutputFlow(const arch::TiledConfig& config, WritePath& path);

  void begin(const arch::TiledJob& job, Edge pushed);
  bool advance();

  Queue<Edge> sums_complete, parameters;  // in
  Queue<Edge> sums_freed;                 // out
  TileAccount account;                    // of the store stage
  std::int64_t reads = 0;                 // cycles in which sums were read
  std::vector<Span> post_spans;           // of the job, in which sums were read or processed
  // The job's last tile has been written; at end().
  bool done() const { return begun_.empty() && to_end_ == 0; }
  Edge end() const { return end_; }

 private:
  bool process();
  bool begin_tile();
  bool issue();
  bool end_tile();
  int reads_of(int tile) const;

  const arch::TiledConfig& config_;
  WritePath& path_;
  const Edge post_latency_;
  arch::TiledJob job_;
  std::optional<arch::TileNest> nest_;

  // Post-processing.
  int to_process_ = 0, tile_ = 0;
  Edge process_from_ = 0;
  int free_outputs_ = arch::StoreConfig::kHalves;
  Queue<Edge> complete_;

  // Store unit.
  arch::MapRuns runs_;
  int to_begin_ = 0, to_end_ = 0;
  int m_ = 0, y_ = 0, x_ = 0;
  Edge issued_ = 0;
  Queue<Edge> begun_;
  Edge end_ = 0;
};

}  // namespace fansim::timing
