// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/vision/hardware/line_window.h"
#include "accelerators/vision/hardware/types.h"

namespace fansim::vision {

// The median of a window by a network of exchanges, or its smallest or largest value by a tree of them, each exchange a
// subtraction on a slice's ALU whose sign switches two multiplexers.
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
  const arith::ExchangeNetwork network_;  // for the largest window; a smaller one is filled up
  LineWindow lines_;
  Pipeline pipeline_;
  const Job* job_ = nullptr;

  sim::Counter beats_{*this, "beats", "beats", "beats of results"};
  sim::Counter exchanges_{*this, "exchanges", "exchanges", "values compared"};
};

}  // namespace fansim::vision
