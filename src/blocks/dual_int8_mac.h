// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "blocks/dual_int8_chain.h"
#include "sim/module.h"
#include "sim/pipeline.h"
#include "sim/stream.h"

namespace fansim::blocks {

// Computes two dot products that share one factor, `terms` terms of each per beat, on terms + 1 DSP48E2 slices (WP490).
// They are exact modulo 2^24 as long as contract::DualInt8Config::exact() holds.
// Throughput: one beat per cycle.
// Latency:    contract::DualInt8Config::latency(), from the last beat of the sums.
// Stall:      holds every slice while `sums` is full.
class DualInt8Mac final : public sim::Module {
 public:
  sim::StreamIn<Int8Pairs> pairs{"pairs"};
  sim::StreamOut<Int8Sums> sums{"sums"};

  DualInt8Mac(const sc_core::sc_module_name& name, const contract::DualInt8Config& config)
      : Module(name), chain_(config), pipeline_(config.latency()) {}

 private:
  void step() override;

  DualInt8Chain chain_;
  sim::Pipeline<bool> pipeline_;  // whether sums end with it

  sim::Counter beats_{*this, "beats", "beats", "beats of pairs taken"};
  sim::Counter stalls_{*this, "stalls", "cycles", "cycles held because the output was full"};
};

}  // namespace fansim::blocks
