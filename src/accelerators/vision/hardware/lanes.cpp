// SPDX-License-Identifier: Apache-2.0
#include "accelerators/vision/hardware/lanes.h"

#include <algorithm>
#include <cstring>

#include "kernels/vector.h"

namespace fansim::vision {
namespace {

using Lanes __attribute__((vector_size(sizeof(Samples)))) = std::int32_t;

constexpr int kShift = contract::DualInt8Config{}.shift, kAbove = 32 - kShift;

// The value is not returned, because the registers in which vectors are returned depend on the instruction set.
void load(const LaneWindows& windows, int i, Lanes& values) {
  std::memcpy(&values, windows.first + windows.offsets[i], sizeof values);
}

// Writes the results; lanes without a sample become zero.
void put(const Lanes& values, const LaneWindows& windows, Samples& results) {
  Lanes samples;
  std::memcpy(&samples, windows.samples->data(), sizeof samples);
  samples &= values;
  std::memcpy(results.data(), &samples, sizeof samples);
}

void scale(const FilterLanes& lanes, const Lanes& sums, const LaneWindows& windows, Samples& results) {
  put(sums, windows, results);
  for (std::int32_t& sum : results) {
    const std::int64_t magnitude = (sum < 0 ? -std::int64_t{sum} : std::int64_t{sum}) * lanes.multiplier >> lanes.shift;
    sum = static_cast<std::int32_t>(std::clamp<std::int64_t>(sum < 0 ? -magnitude : magnitude, lanes.low, lanes.high));
  }
}

}  // namespace

// Lanes 2i and 2i + 1 share a chain. Its last P register holds the sum of lane 2i + 1 shifted left by kShift, plus the
// sum of lane 2i. The slice behind it separates them: it sign-extends the low sum, and returns the borrow to the high
// one.
FANSIM_CLONES void filter_lanes(const FilterLanes& lanes, const LaneWindows& windows, Samples& results) {
  const Lanes high_lanes = {0, -1, 0, -1, 0, -1, 0, -1};
  Lanes sum = lanes.start + Lanes{};
  for (int first = 0; first < lanes.window; first += lanes.terms) {
    Lanes p{};
    for (int i = first; i < std::min(lanes.window, first + lanes.terms); ++i) {
      Lanes values;
      load(windows, i, values);
      p += (values - lanes.sample_offset) * lanes.weights[i];
    }
    const Lanes low = (p << kAbove) >> kAbove;
    const Lanes above = (p - low) >> kShift;
    const Lanes borrow = __builtin_shufflevector(above, above, 0, 0, 2, 2, 4, 4, 6, 6);
    sum += high_lanes ? p + borrow : low;
  }
  if (lanes.multiplier != 1 || lanes.shift > 30) {
    scale(lanes, sum, windows, results);
    return;
  }
  const std::int32_t round = (1 << lanes.shift) - 1;  // added to negative sums, so that they round towards zero
  sum = (sum + ((sum < 0) & round)) >> lanes.shift;
  sum = sum < lanes.low ? lanes.low + Lanes{} : sum;
  sum = sum > lanes.high ? lanes.high + Lanes{} : sum;
  put(sum, windows, results);
}

FANSIM_CLONES void exchange(const LaneWindows& windows, int window, const arith::ExchangeNetwork& network,
                            Samples& medians) {
  std::array<Lanes, 25> sorted;
  for (int i = 0; i < window; ++i) load(windows, i, sorted[static_cast<std::size_t>(i)]);
  // An equal number of lowest and highest values does not move the median.
  for (std::size_t i = static_cast<std::size_t>(window); i < sorted.size(); ++i)
    sorted[i] = (i % 2 == 0 ? INT16_MIN : UINT16_MAX) + Lanes{};
  for (const arith::Exchange& e : network.exchanges) {
    const Lanes low = sorted[e.low], high = sorted[e.high];
    const Lanes exchanged = high - low < 0;
    sorted[e.low] = exchanged ? high : low;
    sorted[e.high] = exchanged ? low : high;
  }
  put(sorted[static_cast<std::size_t>(network.median)], windows, medians);
}

FANSIM_CLONES void extreme(const LaneWindows& windows, int window, bool largest, Samples& values) {
  Lanes best, value;
  load(windows, 0, best);
  for (int i = 1; i < window; ++i) {
    load(windows, i, value);
    const Lanes above = value - best > 0;
    best = largest ? (above ? value : best) : (above ? best : value);
  }
  put(best, windows, values);
}

}  // namespace fansim::vision
