// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "accelerators/vision/hardware/types.h"

namespace fansim::vision {

// Windows side by side: value i of sample `lane` is first[offsets[i] + lane]. There are kMostSamples lanes; those
// behind a step's samples hold anything.
struct LaneWindows {
  const std::int32_t* first = nullptr;
  const int* offsets = nullptr;
  const Samples* samples = nullptr;  // all ones where there is a sample
};

// Line memories and window registers: of a raster of samples, `samples` a step, the windows of the samples that lie a
// job's delay behind. A line memory is read and written once a step, and gives what came a row before; so what lines
// and registers hold is the raster's last rows.
class LineWindow {
 public:
  explicit LineWindow(const PixelsConfig& pixels) : samples_(pixels.samples) {
    std::fill_n(lanes_.begin(), samples_, -1);
  }

  void begin(const Job& job, UnitCode unit);
  // Takes a step's samples; true if there are windows now, of the samples of step() calls so many before.
  bool step(const Samples& samples);
  // The windows of these samples, kernel x kernel values row by row, the border in place of what lies outside.
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
  std::vector<int> offsets_;           // of a window's values
  std::vector<std::int32_t> patched_;  // windows with a border among them, kMostSamples values side by side
  std::vector<int> patched_offsets_;
  int at_ = 0, kept_ = 0;  // the next sample's place; samples before it that windows see
  WindowJob job_;
  int channels_ = 1, radius_ = 0;
  int row_steps_ = 1, row_samples_ = 1, reach_ = 0;  // reach: steps of a window to either side
  std::int64_t before_ = 0;                          // steps until the first window
  int row_ = 0, column_ = 0;                         // of the windows, in rows and steps
};

}  // namespace fansim::vision
