// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "accelerators/vision/hardware/types.h"

namespace fansim::vision {

// Holds windows side by side: value i of sample `lane` is first[offsets[i] + lane]. There are kMostSamples lanes; the
// lanes after a step's samples have any value.
struct LaneWindows {
  const std::int32_t* first = nullptr;
  const int* offsets = nullptr;
  const Samples* samples = nullptr;  // all ones where there is a sample
};

// Models line memories and window registers. It takes a raster of samples, `samples` per step, and gives the windows of
// the samples that came the job's delay earlier. A line memory is read and written once per step and gives the value of
// the row before, so lines and registers hold the last rows of the raster.
class LineWindow {
 public:
  explicit LineWindow(const PixelsConfig& pixels) : samples_(pixels.samples) {
    std::fill_n(lanes_.begin(), samples_, -1);
  }

  void begin(const Job& job, UnitCode unit);
  // Takes a step's samples. Returns true if there are windows now; they belong to the samples of an earlier call.
  bool step(const Samples& samples);
  // Returns these windows, kernel x kernel values each, row by row, with the border in place of what lies outside.
  const LaneWindows& windows();

 private:
  bool inside() const;
  void bordered(int lane);
  const std::int32_t* oldest() const { return raster_.data() + at_ - kept_; }
  std::int32_t value(int row, int column) const { return oldest()[row * row_samples_ + column]; }

  const int samples_;
  Samples lanes_{};  // see LaneWindows::samples
  LaneWindows windows_;
  std::vector<std::int32_t> raster_;
  std::vector<int> offsets_;           // one for each value of a window
  std::vector<std::int32_t> patched_;  // windows that touch the border, kMostSamples values side by side
  std::vector<int> patched_offsets_;
  int at_ = 0, kept_ = 0;  // place of the next sample; number of samples before it that windows see
  WindowJob job_;
  int channels_ = 1, radius_ = 0;
  int row_steps_ = 1, row_samples_ = 1, reach_ = 0;  // reach: steps that a window extends to either side
  std::int64_t before_ = 0;                          // steps until the first window
  int row_ = 0, column_ = 0;                         // place of the windows, in rows and steps
};

}  // namespace fansim::vision
