// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "accelerators/vision/hardware/types.h"

namespace fansim::vision {

// Line memories and window registers: of a raster of samples, `samples` a step, the windows of the samples that lie a
// job's delay behind. A line memory is read and written once a step.
class LineWindow {
 public:
  LineWindow(const PixelsConfig& pixels, int max_kernel);

  void begin(const Job& job, UnitCode unit);
  // Takes a step's samples; true if there are windows now, of the samples of step() calls so many before.
  bool step(const Samples& samples);
  // The window of one of these samples, kernel x kernel values row by row, the border in place of what lies outside.
  void window(int lane, std::int32_t* values) const;

 private:
  std::int32_t value(int row, int column) const { return history_[static_cast<std::size_t>(row * width_ + column)]; }
  void bordered(int lane, std::int32_t* values) const;

  const int samples_, capacity_;
  std::vector<std::int32_t> lines_;    // kernel - 1 line memories
  std::vector<std::int32_t> history_;  // the window's registers: kernel rows of width_ samples
  WindowJob job_;
  int channels_ = 1, radius_ = 0;
  int row_steps_ = 1, reach_ = 0, width_ = 0;  // steps of a row, of a window to either side; registers of a row
  std::int64_t before_ = 0;                    // steps until the first window
  int write_ = 0;                              // where a line is written, in steps
  int row_ = 0, column_ = 0;                   // of the windows, in rows and steps
};

}  // namespace fansim::vision
