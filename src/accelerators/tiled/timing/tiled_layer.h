// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "accelerators/tiled/config/layer_jobs.h"
#include "accelerators/tiled/timing/engine_flow.h"
#include "accelerators/tiled/timing/output_flow.h"
#include "accelerators/tiled/timing/tile_loads.h"
#include "accelerators/tiled/timing/tiled_engine.h"
#include "contract/host_steps.h"
#include "contract/result.h"
#include "rules/array_buckets.h"

namespace fansim::tiled {

// One layer on the tiled accelerator, from a common edge of the two clocks on; edges are counted from there.
class TiledLayer : public contract::HostFollower {
 public:
  // `keeps_buckets`: whether they are asked for.
  TiledLayer(const Config& config, const contract::LayerPlan& plan, const TiledGaps& gaps, PathBooks& books,
             const contract::Pulse& pulse, bool keeps_buckets);

  // The host's steps of the layer, in order.
  void software(std::uint32_t cycles, bool prepares_dma);
  void write_core(std::uint32_t address, std::uint32_t value);
  void wait_output();
  // Cycles, counters and, if they are asked for, buckets of the layer.
  void finish(contract::LayerResult& result);
  TiledGaps gaps() { return {inputs_.gap_until() - now_, weights_.gap_until() - now_}; }

 private:
  void run(const TiledJob& job, timing::Edge pushed);
  void decide();
  void advance();
  void advance_inputs();
  void advance_weights();
  void advance_engine();
  void advance_outputs();
  void account_job();
  void quiet(timing::Edge from, timing::Edge to);
  void refine(std::vector<timing::Span>& waits, int port, rules::ArrayBucket bucket);

  const Config& config_;
  const std::vector<TiledJob>& planned_;
  const contract::Pulse& pulse_;
  const bool keeps_buckets_;
  std::unique_ptr<timing::Memory> memory_;
  bool stirred_ = false;  // some path
  ReadStream inputs_, weights_;
  WriteStream outputs_;
  InputLoads input_loads_;
  WeightLoads weight_loads_;
  OutputFlow output_flow_;
  EngineFlow engine_;

  // Who may get on.
  struct News {
    bool inputs = false, weights = false, engine = false, outputs = false;
  };
  News news_;

  timing::Edge now_ = 0;  // of the host
  std::size_t jobs_ = 0;
  int decisions_ = 0;                 // since the last pulse
  timing::Edge quiet_from_ = 0;       // the edges before are in the buckets, or in the engine's waits
  std::vector<timing::Span> host_;    // works
  std::vector<timing::Span> drains_;  // of the job: sums and outputs are under way behind the engine
  rules::ArrayBuckets buckets_;
};

}  // namespace fansim::tiled
