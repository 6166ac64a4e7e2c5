// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/vision/hardware/line_window.h"
#include "arith/exchanges.h"

namespace fansim::vision {

// What the filter's slices make of a step's windows, all lanes at once, the packed chains' sums bit by bit as they
// leave the slices.
struct FilterLanes {
  const std::int32_t* weights = nullptr;  // of a bank
  int window = 0, terms = 0;              // values; those that a chain sums
  std::int32_t sample_offset = 0;         // what is taken from a sample before the chains
  std::int32_t start = 0;                 // what the adder tree adds to their sums
  std::int64_t multiplier = 1;            // of a sum, which is divided by 2^shift then, towards zero,
  int shift = 0;
  std::int32_t low = 0, high = 0;  // and brought to the nearest of these values
};
void filter_lanes(const FilterLanes& lanes, const LaneWindows& windows, Samples& results);

// The median of windows by exchanges, or their largest or smallest values.
void exchange(const LaneWindows& windows, int window, const arith::ExchangeNetwork& network, Samples& medians);
void extreme(const LaneWindows& windows, int window, bool largest, Samples& values);

}  // namespace fansim::vision
