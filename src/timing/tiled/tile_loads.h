// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "arch/map_runs.h"
#include "arch/tile_nest.h"
#include "arch/weight_runs.h"
#include "timing/queue.h"
#include "timing/tiled/read_path.h"

namespace fansim::timing {

// Tiles of a stage: how many, the cycles from begin to end summed, and when one was under way.
struct TileAccount {
  std::int64_t tiles = 0;
  Edge cycles = 0;
  std::vector<Span> spans;  // of the job

  void add(Span span) {
    ++tiles;
    cycles += span.to - span.from;
    spans.push_back(span);
  }
};

// datapath::InputLoader, a job at a time. Tokens carry the edges at which they are pushed.
class InputLoads {
 public:
  InputLoads(const arch::TiledConfig& config, ReadPath& path) : config_(config), path_(path) {}

  void begin(const arch::TiledJob& job, Edge pushed);
  bool advance();

  Queue<Edge> freed, turns;  // in: halves by the engine, turns by the other stream
  Queue<Edge> filled;        // halves, for the engine
  Queue<Edge> turn_over;     // for the weights
  TileAccount account;

 private:
  bool begin_tile();
  void next_tile();
  bool issue();
  bool end_tile();
  bool serial() const { return config_.load.order == arch::LoadOrder::serial; }

  const arch::TiledConfig& config_;
  ReadPath& path_;
  arch::TiledJob job_;
  std::optional<arch::TileNest> nest_;
  arch::MapRuns runs_;
  int m_ = 0, y_ = 0, x_ = 0, n_ = 0;
  bool busy_ = false;  // tiles are to begin
  Edge issued_ = 0;    // the last run, or the next one's earliest edge less one
  std::int64_t credits_ = 0;
  Queue<Edge> begun_;
};

// datapath::WeightLoader, a job at a time.
class WeightLoads {
 public:
  WeightLoads(const arch::TiledConfig& config, ReadPath& path) : config_(config), path_(path) {}

  void begin(const arch::TiledJob& job, Edge pushed);
  bool advance();

  Queue<Edge> freed, turns;  // in: halves by the engine, turns by the other stream
  Queue<Edge> filled;        // halves, for the engine
  Queue<Edge> parameters;    // for the post-processing
  Queue<Edge> turn_over;     // for the inputs
  TileAccount account;
  Span parameters_span;  // in which the job's parameters were under way

 private:
  bool begin_phase();
  bool begin_tile();
  void next_tile();
  bool issue();
  bool end_tile();
  ReadRun next_run();
  bool serial() const { return config_.load.order == arch::LoadOrder::serial; }

  const arch::TiledConfig& config_;
  ReadPath& path_;
  arch::TiledJob job_;
  std::optional<arch::TileNest> nest_;
  std::optional<arch::WeightRuns> runs_;
  arch::WeightTile tile_;
  bool parameters_ = false;           // are asked for next
  bool awaited_ = false;              // parameters are under way
  int next_run_ = 0, run_count_ = 0;  // of the tile
  int phases_ = 0, phase_tiles_ = 0;  // to begin
  int m_ = 0, n_ = 0, k_ = 0, repeat_ = 0;
  Edge from_ = 0;          // the earliest edge of the next step
  Edge ended_ = kLongAgo;  // that of the tile before is seen
  std::int64_t credits_ = 0;
  Queue<Edge> begun_;
};

}  // namespace fansim::timing
