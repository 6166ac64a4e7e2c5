// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "accelerators/stream/config/array.h"
#include "accelerators/stream/hardware/types.h"
#include "sim/module.h"
#include "sim/stream.h"

namespace fansim::stream {

// Holds the last `cols` columns of the line buffers, from which K x K windows are taken every `stride` columns. Kernel
// columns sit in the last taps. With several output rows in parallel each tap row reads the line that its window needs.
// Throughput: one column per cycle; a window leaves at the edge that takes its last column.
// Latency:    0 cycles from the window's last column to the window.
// Stall:      takes no column that completes a window while `windows` is full.
class SlidingWindow final : public sim::Module {
 public:
  sim::StreamIn<Pass> pass{"pass"};
  sim::StreamIn<Column> columns{"columns"};
  sim::StreamOut<Window> windows{"windows"};

  SlidingWindow(const sc_core::sc_module_name& name, const ArrayConfig& config);

  bool shifting() const { return active_; }

 private:
  void reset() override { active_ = false; }
  void step() override;
  void begin(const Pass& next);
  void shift(const Column& column);
  void emit();
  // Returns the registers, beginning with the oldest column's.
  std::int16_t* taps() { return columns_.data() + first_ * column_values_; }

  static constexpr int kBehind = 32;  // columns
  const ArrayConfig config_;
  const int column_values_;

  std::vector<std::int16_t> columns_;  // [column][line][channel], widened: `cols` of them are the registers
  int first_ = 0;                      // index of the first of these
  sim::Memory bits_;

  Pass now_;
  bool active_ = false;
  bool unsigned_ = false;  // what the job's columns hold
  int column_ = 0;         // next column of the pass to arrive
  int due_ = 0;            // column that completes the next window
  int step_ = 1;           // columns between windows
  int window_ = 0;         // next window of the pass
  int windows_in_pass_ = 0;
  std::array<int, kMaxRows> line_of_row_{};

  sim::Counter columns_in_{*this, "columns", "columns", "columns shifted in"};
  sim::Counter windows_out_{*this, "windows", "windows", "windows formed"};
  sim::Counter stalls_{*this, "stalls", "cycles", "cycles held because the array could not take a window"};
};

}  // namespace fansim::stream
