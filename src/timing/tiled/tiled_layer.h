// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "arch/program.h"
#include "arch/result.h"
#include "timing/tiled/engine_flow.h"
#include "timing/tiled/output_flow.h"
#include "timing/tiled/tile_loads.h"
#include "timing/tiled/tiled_engine.h"

namespace fansim::timing {

// One layer on the tiled accelerator, from a common edge of the two clocks on; edges are counted from there.
class TiledLayer {
 public:
  TiledLayer(const arch::TiledConfig& config, const arch::LayerPlan& plan, const TiledGaps& gaps);

  // The host's steps in their order.
  void step(const arch::HostOp& op);
  // Cycles, buckets and counters of the layer.
  void finish(arch::LayerResult& result);
  TiledGaps gaps() const { return {inputs_.gap_until() - now_, weights_.gap_until() - now_}; }

 private:
  void write(const arch::HostOp& op);
  void run(const arch::TiledJob& job, Edge pushed);
  void advance();
  void account_job();
  void quiet(Edge from, Edge to);
  void refine(std::vector<Span>& waits, int port, arch::Bucket bucket);

  const arch::TiledConfig& config_;
  const arch::LayerPlan& plan_;
  std::unique_ptr<MemoryPorts> memory_;
  ReadPath inputs_, weights_;
  WritePath outputs_;
  InputLoads input_loads_;
  WeightLoads weight_loads_;
  OutputFlow output_flow_;
  EngineFlow engine_;

  Edge now_ = 0;  // of the host
  std::size_t jobs_ = 0;
  Edge quiet_from_ = 0;       // the edges before are in the buckets, or in the engine's waits
  std::vector<Span> host_;    // works
  std::vector<Span> drains_;  // of the job: sums and outputs are under way behind the engine
  arch::Buckets buckets_{};
};

}  // namespace fansim::timing
