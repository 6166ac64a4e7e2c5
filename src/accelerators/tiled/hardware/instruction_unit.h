// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "accelerators/tiled/config/tiled_job.h"
#include "axi/types.h"
#include "sim/module.h"
#include "sim/stream.h"

namespace fansim::tiled {

// Is the tiled accelerator's AXI-Lite subordinate. It holds the words of an instruction and its arguments
// (config/tiled_job.h). A write to kStart decodes them and gives the layer to all stages at one edge. With a code
// table, it passes on what is written to the table.
// Throughput: one request per cycle.
// Latency:    the response is pushed at the edge that takes the request, and so is the layer that it starts.
// Stall:      takes no request while the response, or the layer to a stage, cannot leave.
class InstructionUnit final : public sim::Module {
 public:
  sim::StreamIn<axi::LiteRequest> request{"request"};
  sim::StreamOut<axi::LiteResponse> response{"response"};
  sim::StreamOut<axi::LiteRequest> table{"table"};  // writes of LookUp's registers

  // `engines` holds, for each stage, the number of its engine, or kEvery if the stage takes the layers of all engines.
  static constexpr int kEvery = -1;
  InstructionUnit(const sc_core::sc_module_name& name, const std::vector<int>& engines, bool code_table);

  sim::StreamOut<TiledJob>& stage(std::size_t i) { return *stages_[i].job; }

 private:
  struct Stage {
    int engine;
    std::unique_ptr<sim::StreamOut<TiledJob>> job;
    bool takes(const TiledJob& layer) const { return engine == kEvery || engine == layer.engine; }
  };

  void step() override;
  bool write(std::uint32_t address, std::uint32_t value);
  bool start(const TiledJob& layer);

  const bool code_table_;
  JobImage image_{};
  std::vector<Stage> stages_;

  sim::Counter writes_{*this, "writes", "writes", "register writes"};
  sim::Counter layers_{*this, "layers", "layers", "layers started"};
};

}  // namespace fansim::tiled
