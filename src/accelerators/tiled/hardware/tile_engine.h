// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "accelerators/tiled/config/code_book.h"
#include "accelerators/tiled/hardware/tile_macs.h"
#include "accelerators/tiled/hardware/types.h"
#include "sim/module.h"
#include "sim/pipeline.h"
#include "sim/reg.h"
#include "sim/stream.h"

namespace fansim::tiled {

// Has tm x tn multipliers, an adder tree for each output channel, and partial sums. Coarse sums are integers modulo
// 2^accumulator_bits. Fine ones are in single precision, sum = sum + tree(products of the tn lanes), where the tree
// adds adjacent pairs level by level and an odd last one goes up unchanged. Where the MACs are made (tiled::MacPlace)
// changes neither.
// Throughput: one point per cycle. A point waits for its weight set, and until accumulate_latency() cycles after the
//             last one of its entry, whose sum it needs.
// Latency:    tiled::EngineConfig::latency() from a half's last point to its token in `sums`.
// Stall:      holds every stage while `sums` is full.
class TileEngine final : public sim::Module {
 public:
  sim::StreamIn<Point> points{"points"};
  sim::StreamIn<WeightSet> sets{"sets"};
  sim::StreamOut<Half> sums{"sums"};  // halves whose sums are complete

  TileEngine(const sc_core::sc_module_name& name, const EngineConfig& config, const CodeBook& book, SumStore& store,
             bool values = true);

  // The state is that of the engine's last step. wait_input: within a half's points, none was there. wait_sum: a point
  // came too early after another point of its entry.
  enum class State { idle, compute, wait_weights, wait_input, wait_sum, wait_output };
  State state() const { return state_; }
  bool empty() const { return pipeline_.empty(); }
  std::int64_t points_taken() const { return points_taken_.value(); }

 private:
  void step() override;
  State take();
  std::int64_t& last_use(const Point& point);

  SumStore& store_;
  sim::Memory bits_{*this, "sums", sim::Storage::Of::block_ram, [this] { return store_.stored(); }};
  const bool values_;
  const int accumulate_latency_;
  TileMacs macs_;

  std::vector<std::int64_t> last_use_;  // last use of each entry, in edges that were not held
  std::int64_t held_ = 0;
  bool open_ = false;  // within the points of a half
  sim::Pipeline<Half> pipeline_;
  State state_ = State::idle;
  sim::Word state_word_{
      *this, "state", {"idle", "compute", "wait_weights", "wait_input", "wait_sum", "wait_output"}, state_};

  sim::Counter points_taken_{*this, "points", "points", "points multiplied"};
  sim::Counter sets_taken_{*this, "sets", "sets", "weight sets taken"};
  sim::Counter weight_waits_{*this, "weight_waits", "cycles", "cycles a point waited for its weight set"};
  sim::Counter sum_waits_{*this, "sum_waits", "cycles", "cycles a point waited for its partial sum"};
  sim::Counter stalls_{*this, "stalls", "cycles", "cycles held because the post-processing took no sums"};
};

}  // namespace fansim::tiled
