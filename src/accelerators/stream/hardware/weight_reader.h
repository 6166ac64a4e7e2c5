// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/stream/config/array.h"
#include "accelerators/stream/hardware/types.h"
#include "contract/axi.h"
#include "sim/memory_port.h"
#include "sim/module.h"
#include "sim/pipeline.h"
#include "sim/stream.h"

namespace fansim::stream {

// Fetches weight sets from the weight buffer, one tap column per cycle.
// Throughput: one column per cycle, no bubble between sets.
// Latency:    bram_read_latency() from the edge that reads a row to the edge that pushes it.
// Stall:      holds every stage while `columns` is full.
class WeightReader final : public sim::Module {
 public:
  sim::StreamIn<WeightCommand> command{"command"};
  sim::StreamOut<WeightColumn> columns{"columns", sim::Pop::wakes};

  WeightReader(const sc_core::sc_module_name& name, const ArrayConfig& config, const contract::AxiConfig& axi,
               sim::ReadPort& weights);

 private:
  void reset() override {
    left_ = 0;
    pipeline_.clear();
  }
  void step() override;

  const int cols_;
  const int column_bytes_;
  const int row_pitch_;
  sim::ReadPort& weights_;
  sim::Pipeline<WeightColumn> pipeline_;

  WeightCommand now_;
  int left_ = 0;

  sim::Counter columns_out_{*this, "columns", "columns", "weight columns read"};
  sim::Counter stalls_{*this, "stalls", "cycles", "cycles held because the array could not take a column"};
};

}  // namespace fansim::stream
