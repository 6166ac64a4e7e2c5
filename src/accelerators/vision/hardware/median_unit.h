// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/vision/hardware/line_window.h"
#include "accelerators/vision/hardware/types.h"

namespace fansim::vision {

// Computes the median of a window by a network of exchanges, or its smallest or largest value by a tree of exchanges.
// Each exchange is a subtraction on a slice's ALU, whose sign controls two multiplexers.
// Throughput: one beat per cycle.
// Latency:    MedianConfig::latency() behind the beat that completes the windows.
// Stall:      none; its results are never refused (Pipeline).
class MedianUnit final : public sim::Module {
 public:
  sim::StreamIn<JobStart> start{"start"};
  sim::StreamIn<PixelBeat> in{"in"};
  sim::StreamOut<PixelBeat> out{"out"};

  MedianUnit(const sc_core::sc_module_name& name, const Config& config);

 private:
  void step() override;
  void compute(PixelBeat& beat);

  const int samples_;
  const arith::ExchangeNetwork network_;  // for the largest window; a smaller window is padded
  LineWindow lines_;
  Pipeline pipeline_;
  const Job* job_ = nullptr;

  sim::Counter beats_{*this, "beats", "beats", "beats of results"};
  sim::Counter exchanges_{*this, "exchanges", "exchanges", "values compared"};
};

}  // namespace fansim::vision
