// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "accelerators/vision/hardware/lanes.h"
#include "accelerators/vision/hardware/line_window.h"
#include "accelerators/vision/hardware/types.h"

namespace fansim::vision {

// Convolves on packed DSP48E2 chains (WP490). The windows of two neighbouring samples share a chain in each bank. The
// chains' sums are added, scaled and converted to the result's type.
// Throughput: one beat per cycle.
// Latency:    FilterConfig::latency() behind the beat that completes the windows.
// Stall:      none; its results are never refused (Pipeline).
class FilterUnit final : public sim::Module {
 public:
  sim::StreamIn<JobStart> start{"start"};
  sim::StreamIn<PixelBeat> in{"in"};
  sim::StreamOut<PixelBeat> out{"out"};

  FilterUnit(const sc_core::sc_module_name& name, const Config& config);

  std::int64_t maccs() const { return maccs_.value(); }

 private:
  void step() override;
  void begin();
  void compute(PixelBeat& beat);

  const FilterConfig config_;
  const int samples_;
  LineWindow lines_;
  Pipeline pipeline_;
  const Job* job_ = nullptr;
  std::array<FilterLanes, FilterConfig::kMaxBanks> banks_;

  sim::Counter beats_{*this, "beats", "beats", "beats of results"};
  sim::Counter maccs_{*this, "maccs", "MACC", "multiply-accumulates that the slices have taken up"};
};

}  // namespace fansim::vision
