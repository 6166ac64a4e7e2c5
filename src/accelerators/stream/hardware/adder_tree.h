// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/stream/config/array.h"
#include "accelerators/stream/hardware/types.h"
#include "sim/module.h"
#include "sim/pipeline.h"
#include "sim/stream.h"

namespace fansim::stream {

// Sums one window's terms per output channel in a pipelined binary tree. With several output rows in parallel, it sums
// each row's taps separately. With lut_kernel a compressor tree sums the products of each tap row.
// Throughput: one window per cycle.
// Latency:    stream::ArrayConfig::adder_tree_latency().
// Stall:      holds every stage while `sums` is full.
class AdderTree final : public sim::Module {
 public:
  sim::StreamIn<Terms> products{"products"};
  sim::StreamOut<Sums> sums{"sums"};

  AdderTree(const sc_core::sc_module_name& name, const ArrayConfig& config, bool values = true);

  bool empty() const { return pipeline_.empty(); }

 private:
  void reset() override { pipeline_.clear(); }
  void step() override;
  void add(const Terms& in, Sums& out) const;
  void add_products(const Terms& in, Sums& out) const;
  void add_row_sums(const Terms& in, Sums& out) const;

  const ArrayConfig config_;
  const int lanes_;
  const bool values_;
  sim::Pipeline<Sums> pipeline_;

  sim::Counter beats_{*this, "beats", "windows", "windows summed"};
  sim::Counter stalls_{*this, "stalls", "cycles", "cycles held because the accumulator was full"};
};

}  // namespace fansim::stream
