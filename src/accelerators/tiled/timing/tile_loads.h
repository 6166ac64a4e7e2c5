// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "accelerators/tiled/config/load_order.h"
#include "accelerators/tiled/timing/read_stream.h"
#include "timing/queue.h"

namespace fansim::tiled {

// Counts the tiles of a stage, sums their cycles from begin to end, and keeps when one was under way.
struct TileAccount {
  std::int64_t tiles = 0;
  timing::Edge cycles = 0;
  std::vector<timing::Span> spans;  // of the job

  void add(timing::Span span) {
    ++tiles;
    cycles += span.to - span.from;
    spans.push_back(span);
  }
};

// Computes what tiled::InputLoader does, a job at a time. Tokens carry the edges at which they are pushed.
class InputLoads {
 public:
  InputLoads(const Config& config, ReadStream& path) : config_(config), path_(path) {}

  void begin(const TiledJob& job, timing::Edge pushed);
  bool advance();

  timing::Queue<timing::Edge> freed, turns;  // in: halves by the engine, turns by the other stream
  timing::Queue<timing::Edge> filled;        // halves, for the engine
  timing::Queue<timing::Edge> turn_over;     // for the weights
  TileAccount account;

 private:
  bool begin_tile();
  bool end_tile();
  bool serial() const { return config_.load.order == LoadOrder::serial; }

  const Config& config_;
  ReadStream& path_;
  std::optional<InputOrder> order_;
  timing::Edge from_ = 0;  // of the job
  std::int64_t credits_ = 0;
};

// Computes what tiled::WeightLoader does, a job at a time.
class WeightLoads {
 public:
  WeightLoads(const Config& config, ReadStream& path) : config_(config), path_(path) {}

  void begin(const TiledJob& job, timing::Edge pushed);
  bool advance();

  timing::Queue<timing::Edge> freed, turns;  // in: halves by the engine, turns by the other stream
  timing::Queue<timing::Edge> filled;        // halves, for the engine
  timing::Queue<timing::Edge> parameters;    // for the post-processing
  timing::Queue<timing::Edge> turn_over;     // for the inputs
  TileAccount account;
  timing::Span parameters_span;  // in which the job's parameters were under way

 private:
  bool begin_phase();
  bool begin_tile();
  bool end_tile();
  void push(const WeightExtent& run);
  bool serial() const { return config_.load.order == LoadOrder::serial; }

  const Config& config_;
  ReadStream& path_;
  std::optional<WeightOrder> order_;
  bool parameters_ = false;           // the job's parameters are asked for next
  bool awaited_ = false;              // parameters are under way
  int tiles_ = 0;                     // under way, parameters among them
  int phases_ = 0, phase_tiles_ = 0;  // to begin
  timing::Edge from_ = 0;             // the earliest edge of the next tile
  std::int64_t credits_ = 0;
};

}  // namespace fansim::tiled
