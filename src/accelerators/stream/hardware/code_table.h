// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/stream/config/array.h"
#include "accelerators/stream/hardware/types.h"
#include "sim/module.h"
#include "sim/pipeline.h"
#include "sim/stream.h"

namespace fansim::stream {

// Looks up a function of one code in a memory of 128 pairs of entries for each output channel. All these memories hold
// the same. Pixels of jobs that do not use the table pass through.
// Throughput: one pixel or one write per cycle.
// Latency:    kLatency.
// Stall:      takes no pixel at an edge that takes a write; holds its pixel while `out` is full.
class CodeTableUnit final : public sim::Module {
 public:
  static constexpr int kLatency = ArrayConfig::code_table_latency();

  sim::StreamIn<Pixel> in{"in"};
  sim::StreamIn<TableWrite> entries{"entries"};
  sim::StreamOut<Pixel> out{"out"};

  CodeTableUnit(const sc_core::sc_module_name& name, const ArrayConfig& config, bool values = true);

  bool empty() const { return pipeline_.empty(); }

 private:
  void reset() override { pipeline_.clear(); }
  void step() override;
  void look_up(const Pixel& from, Pixel& to) const;

  const int channels_;
  const bool values_;
  CodeTable table_{};
  sim::Memory bits_{*this, "table", sim::Storage::Of::block_ram, [this] {
                      return sim::StoredWords{table_.data(), table_.size()};
                    }};
  sim::Pipeline<Pixel> pipeline_{kLatency};

  sim::Counter pixels_{*this, "pixels", "pixels", "pixels looked up or passed on"};
  sim::Counter writes_{*this, "writes", "writes", "pairs of entries written"};
  sim::Counter stalls_{*this, "stalls", "cycles", "cycles held because the pooling unit was busy"};
};

}  // namespace fansim::stream
