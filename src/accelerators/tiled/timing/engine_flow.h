// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "accelerators/tiled/timing/point_order.h"
#include "timing/history.h"
#include "timing/queue.h"
#include "timing/two_stage_pipe.h"

namespace fansim::tiled {

// Edges at which an engine took no point, by what it did instead.
struct EngineWaits {
  timing::Edge fill = 0, wait_output = 0;
  std::vector<timing::Span> input, weights;
  timing::Edge quiet = timing::kLongAgo;  // at the job's end, between its last points: neither engine nor walker waited
};

// Computes what an engine does with its walker and feeder (tiled::TileWalker, WeightFeeder, TileEngine), a job at a
// time. Tokens carry the edges at which they are pushed.
class EngineFlow {
 public:
  // With `closed_forms`, points that flow are taken many at once.
  EngineFlow(const Config& config, int number, bool closed_forms);

  void begin(const TiledJob& job, timing::Edge pushed);
  bool advance();

  timing::Queue<timing::Edge> inputs_filled, weights_filled, sums_freed;   // in
  timing::Queue<timing::Edge> inputs_freed, weights_freed, sums_complete;  // out
  EngineWaits waits;
  std::int64_t points_taken() const { return taken_.count(); }
  bool done() const { return !order_ || order_->done(); }
  timing::Edge last_taken() const { return taken_.last(); }
  // The edges from the one that takes a half's last point to the one that pushes its token.
  int latency() const { return latency_; }

 private:
  bool step();
  bool walk();
  bool leave();
  bool feed();
  bool take();
  void skip();
  void account(timing::Edge taken, timing::Edge set);
  void settle();

  const EngineConfig config_;
  const bool fc_;
  const int halves_;
  const int words_per_set_, shadows_;
  const int accumulate_latency_, latency_;
  const bool closed_forms_;

  timing::Edge begun_ = 0;                   // the first edge at which walker and feeder may act on the job
  std::optional<PointOrder> ahead_, order_;  // of the walker, of the engine

  // Walker.
  timing::TwoStagePipe walker_;
  int free_sums_ = 0;
  timing::History input_seen_{8};  // from which edge on a point's inputs were there, if it opened them

  // Feeder.
  timing::History sets_{8}, sets_taken_{8};
  std::int64_t tiles_left_ = 0;
  int sets_per_tile_ = 0, set_ = 0;

  // Engine.
  timing::History taken_{8};
  static constexpr std::int64_t kNone = -2;
  timing::Edge after_ = 0;        // the first edge behind the last taken point of the job
  std::int64_t left_at_ = kNone;  // the last point that left, if the walker's state at that edge is still open
};

}  // namespace fansim::tiled
