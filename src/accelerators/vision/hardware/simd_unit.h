// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/vision/hardware/types.h"

namespace fansim::vision {

// Computes functions of one pixel of one or two images on the ALUs of DSP48E2 slices in SIMD mode (UG579). The job
// selects ALUMODE and OPMODE; outside the slices, signs select between results.
// Throughput: one beat per cycle.
// Latency:    SimdConfig::latency().
// Stall:      none; its results are never refused (Pipeline).
class SimdUnit final : public sim::Module {
 public:
  sim::StreamIn<JobStart> start{"start"};
  sim::StreamIn<PixelBeat> in{"in"};
  sim::StreamOut<PixelBeat> out{"out"};

  SimdUnit(const sc_core::sc_module_name& name, const Config& config);

 private:
  void step() override;
  std::int32_t result(std::int32_t a, std::int32_t b) const;

  const int samples_;
  Pipeline pipeline_;
  const Job* job_ = nullptr;

  sim::Counter beats_{*this, "beats", "beats", "beats of results"};
};

}  // namespace fansim::vision
