// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "accelerators/tiled/config/layer_jobs.h"
#include "accelerators/tiled/timing/engine_flow.h"
#include "accelerators/tiled/timing/output_flow.h"
#include "accelerators/tiled/timing/tile_loads.h"
#include "accelerators/tiled/timing/tiled_engine.h"
#include "accelerators/tiled/timing/tiled_parts.h"
#include "contract/host_steps.h"
#include "contract/result.h"
#include "rules/array_buckets.h"

namespace fansim::tiled {

// Times one layer on the tiled accelerator, which begins at a common edge of the two clocks. Edges count from there.
class TiledLayer : public contract::HostFollower {
 public:
  // `keeps_buckets` says whether somebody asks for them.
  TiledLayer(const Config& config, const contract::LayerPlan& plan, const TiledGaps& gaps, TiledParts parts,
             const contract::ProgressCallback& progress, bool keeps_buckets);

  // The host takes these steps, in order.
  void software(std::uint32_t cycles, bool prepares_dma);
  void write_core(std::uint32_t address, std::uint32_t value);
  void wait_output();
  // Fills in cycles, counters and, if somebody asks for them, buckets.
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
  const contract::ProgressCallback& progress_;
  const bool keeps_buckets_;
  const TiledParts parts_;
  timing::Memory& memory_;
  bool stirred_ = false;  // whether a path has something to do or to tell of
  ReadStream inputs_, weights_;
  WriteStream outputs_;
  InputLoads input_loads_;
  WeightLoads weight_loads_;
  OutputFlow output_flow_;
  EngineFlow engine_;

  // Stages that may get on.
  struct News {
    bool inputs = false, weights = false, engine = false, outputs = false;
  };
  News news_;

  timing::Edge now_ = 0;  // of the host
  std::size_t jobs_ = 0;
  int decisions_ = 0;                 // of the memory, since progress was called
  timing::Edge quiet_from_ = 0;       // the edges before are in the buckets, or in the engine's waits
  std::vector<timing::Span> host_;    // works
  std::vector<timing::Span> drains_;  // of the job: sums and outputs are under way behind the engine
  rules::ArrayBuckets buckets_;
};

// Times a layer with such parts.
contract::LayerResult follow_tiled_layer(const Config& config, const contract::Program& program,
                                         const contract::LayerSteps& layer, TiledGaps& gaps, TiledParts parts,
                                         const contract::ProgressCallback& progress, bool keeps_buckets);

}  // namespace fansim::tiled
