// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "accelerators/tiled/config/point_nest.h"
#include "accelerators/tiled/hardware/types.h"
#include "sim/module.h"
#include "sim/pipeline.h"
#include "sim/reg.h"
#include "sim/stream.h"

namespace fansim::tiled {

// Reads an engine's inputs in the order of tiled::PointNest. A tile's first point waits until its half has been filled,
// and for a free half of the sums; these halves are taken in turn. The last point that reads an input half frees it.
// Jobs of other engines are ignored.
// Throughput: one point per cycle; that a sum is read again only after it has been written is the engine's business.
// Latency:    tiled::EngineConfig::input_latency() from the read, the edge at which the half's or job's token is popped
//             at the earliest, to the point. A job is popped one edge before its first read.
// Stall:      holds every stage while `points` is full; reads no last point of a half while `freed` is full.
class TileWalker final : public sim::Module {
 public:
  sim::StreamIn<TiledJob> job{"job"};
  sim::StreamIn<Half> inputs{"inputs"};          // halves that are filled
  sim::StreamIn<Half> sums_freed{"sums_freed"};  // halves that the post-processing has read
  sim::StreamOut<Point> points{"points"};
  sim::StreamOut<Half> freed{"freed"};  // input halves that have been read

  TileWalker(const sc_core::sc_module_name& name, const EngineConfig& config, int engine,
             TileStore<std::int16_t>& store, int sum_halves, bool values = true);

  enum class State { idle, read, wait_input, wait_sums, wait_output };
  State state() const { return state_; }
  bool empty() const { return pipeline_.empty(); }
  std::string waiting_for() const override;

 private:
  void step() override;
  State advance();
  void take_job();
  void read();
  void gather(Point& point);

  const EngineConfig config_;
  const int engine_;
  TileStore<std::int16_t>& store_;
  const int sum_halves_;
  const bool values_;

  std::optional<PointNest> nest_;
  int in_zero_ = 0;
  int input_half_ = 0;
  int sums_half_ = 0;
  int free_sums_;
  bool have_input_ = false;
  sim::Pipeline<Point> pipeline_;
  State state_ = State::idle;
  sim::Word state_word_{*this, "state", {"idle", "read", "wait_input", "wait_sums", "wait_output"}, state_};

  sim::Counter points_read_{*this, "points", "points", "points read from the input store"};
  sim::Counter stalls_{*this, "stalls", "cycles", "cycles held because `points` or `freed` was full"};
  sim::Counter input_waits_{*this, "input_waits", "cycles", "cycles a tile waited for its inputs"};
  sim::Counter sums_waits_{*this, "sums_waits", "cycles", "cycles a tile waited for free partial sums"};
};

}  // namespace fansim::tiled
