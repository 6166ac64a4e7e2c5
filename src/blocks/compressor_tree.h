// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "blocks/lut_types.h"
#include "contract/lut_kernel.h"
#include "sim/module.h"
#include "sim/pipeline.h"
#include "sim/stream.h"

namespace fansim::blocks {

// Sums the entries of a kernel's tables, each slice at its place, with counters of the carry chain
// (arith::CompressorPlan) and a register per stage. It rounds as the format says.
// Throughput: one sum per cycle.
// Latency:    contract::LutKernelConfig::tree_latency().
// Stall:      holds every stage while `sums` is full.
class CompressorTree final : public sim::Module {
 public:
  sim::StreamIn<TableEntries> entries{"entries"};
  sim::StreamOut<KernelSum> sums{"sums"};

  CompressorTree(const sc_core::sc_module_name& name, const contract::LutKernelConfig& config);

 private:
  void step() override;
  std::int64_t sum(const TableEntries& in) const;

  const arith::LutKernel kernel_;
  sim::Pipeline<KernelSum> pipeline_;

  sim::Counter beats_{*this, "beats", "sums", "heaps summed"};
  sim::Counter stalls_{*this, "stalls", "cycles", "cycles held because the sum could not leave"};
};

}  // namespace fansim::blocks
