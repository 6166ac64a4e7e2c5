// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/vision/hardware/line_window.h"
#include "arith/exchanges.h"

namespace fansim::vision {

// What the filter's slices make of a step's windows, all lanes at once, the packed chains' sums bit by bit as they
// leave the slices.
struct FilterLanes {
  LaneWindows windows;
  const std::int32_t* weights = nullptr;  // of a bank
  int window = 0, terms = 0;              // values; those that a chain sums
  std::int32_t sample_offset = 0;         // what is taken from a sample before the chains
  std::int32_t start = 0;                 // what the adder tree adds to their sums
};
void filter_sums(const FilterLanes& lanes, Samples& sums);
// Divided by 2^shift towards zero, and the nearest value from `low` to `high`.
void scale(Samples& sums, int shift, std::int32_t low, std::int32_t high);

// The median of windows by exchanges, or their largest or smallest values.
void exchange(const LaneWindows& windows, int window, const arith::ExchangeNetwork& network, Samples& medians);
void extreme(const LaneWindows& windows, int window, bool largest, Samples& values);

}  // namespace fansim::vision
