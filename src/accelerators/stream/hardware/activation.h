// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/stream/config/array.h"
#include "accelerators/stream/hardware/types.h"
#include "sim/module.h"
#include "sim/pipeline.h"
#include "sim/stream.h"

namespace fansim::stream {

// Computes sigmoid and tanh from one 4096-entry table per lane: LSTM gates i, f, o and GRU gates r, z pass through
// sigmoid, the LSTM candidate through tanh. The two halves of the GRU candidate pass unchanged.
// Throughput: one gate of a unit group per cycle.
// Latency:    kLatency.
// Stall:      holds every stage while `out` is full.
class Activation final : public sim::Module {
 public:
  static constexpr int kLatency = ArrayConfig::activation_latency();

  sim::StreamIn<Gate> in{"in"};
  sim::StreamOut<Gate> out{"out"};

  Activation(const sc_core::sc_module_name& name, const ArrayConfig& config, bool values = true);

 private:
  void reset() override { pipeline_.clear(); }
  void step() override;

  const int channels_;
  const bool values_;
  sim::Pipeline<Gate> pipeline_;

  sim::Counter gates_{*this, "gates", "unit groups", "gates of unit groups looked up"};
  sim::Counter stalls_{*this, "stalls", "cycles", "cycles held because the cell was busy"};
};

}  // namespace fansim::stream
