// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "datapath/tiled/sum_store.h"
#include "datapath/tiled/types.h"
#include "sim/module.h"
#include "sim/pipeline.h"
#include "sim/stream.h"

namespace fansim::datapath {

// Bias, requantisation, ReLU and pooling of complete sums, from the engine that the job names into the output store:
// dense [channel][row][column] of a tile after pooling; of the FC engine, the layer's whole output. A job waits for its
// parameters, a tile for complete sums and a free output half; halves are taken in turn.
// Throughput: the sums of one entry in `lanes` channels per cycle, so a tile takes ceil(channels / lanes) x points.
// Latency:    arch::StoreConfig::post_latency() from the last read, which frees the half of the sums, to the token in
//             `output`. The sums' token may be popped at the edge of the first read; a job's parameters one edge
//             before, and it one edge before them, at the latest.
// Stall:      holds every stage while `output` is full; reads no last sums of a half while that engine's `freed` is.
class PostProcess final : public sim::Module {
 public:
  struct EnginePort {
    explicit EnginePort(const std::string& name) : sums((name + "_sums").c_str()), freed((name + "_freed").c_str()) {}
    sim::StreamIn<Half> sums;    // complete
    sim::StreamOut<Half> freed;  // read
  };

  sim::StreamIn<arch::TiledJob> job{"job"};
  sim::StreamIn<Turn> parameters{"parameters"};      // a layer's are complete
  sim::StreamIn<Half> output_freed{"output_freed"};  // by the store stage
  sim::StreamOut<Half> output{"output"};             // complete

  // sums[i] is null where engine i does not exist.
  PostProcess(const sc_core::sc_module_name& name, const arch::TiledConfig& config,
              const std::array<SumStore*, arch::TiledConfig::kEngines>& sums, const ParameterStore& parameter_store,
              TileStore<std::int16_t>& output_store, bool values = true);

  EnginePort& engine(int i) { return *engines_[static_cast<std::size_t>(i)]; }

  enum class State { idle, read, wait_sums, wait_parameters, wait_output };
  State state() const { return state_; }
  bool empty() const { return pipeline_.empty(); }
  std::string waiting_for() const override;

 private:
  void step() override;

  const arch::TiledConfig config_;
  const std::array<SumStore*, arch::TiledConfig::kEngines> sums_;
  const ParameterStore& parameter_store_;
  TileStore<std::int16_t>& output_store_;
  const bool values_;
  std::array<std::unique_ptr<EnginePort>, arch::TiledConfig::kEngines> engines_;

  sim::Pipeline<Half> pipeline_;
  State state_ = State::idle;

  sim::Counter reads_{*this, "reads", "cycles", "cycles in which sums were read"};
  sim::Counter stalls_{*this, "stalls", "cycles", "cycles held because the store stage took no half"};
};

}  // namespace fansim::datapath
