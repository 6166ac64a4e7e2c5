// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/vision/hardware/line_window.h"
#include "arith/exchanges.h"

namespace fansim::vision {

// Computes what the filter's slices make of a step's windows, for all lanes at once. The sums of the packed chains are
// bit for bit those that leave the slices.
struct FilterLanes {
  const std::int32_t* weights = nullptr;  // of one bank
  int window = 0, terms = 0;              // values of a window; those that a chain sums
  std::int32_t sample_offset = 0;         // subtracted from each sample before the chains
  std::int32_t start = 0;                 // added to the chains' sums by the adder tree
  std::int64_t multiplier = 1;            // multiplies a sum, which is then divided by 2^shift towards zero,
  int shift = 0;
  std::int32_t low = 0, high = 0;  // and clamped to this range
};
void filter_lanes(const FilterLanes& lanes, const LaneWindows& windows, Samples& results);

// Compute the median of windows by exchanges, and their largest or smallest values.
void exchange(const LaneWindows& windows, int window, const arith::ExchangeNetwork& network, Samples& medians);
void extreme(const LaneWindows& windows, int window, bool largest, Samples& values);

}  // namespace fansim::vision
