// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "accelerators/stream/config/array.h"
#include "accelerators/stream/hardware/types.h"
#include "sim/module.h"
#include "sim/stream.h"

namespace fansim::stream {

// Max pooling on the stream of pixels: the maximum over a window's columns is formed as they pass, then combined over
// rows in line buffers as deep as a pooled row of all groups. Pixels of jobs without pooling pass through.
// Throughput: one pixel per cycle; one more cycle per further column that the map's right edge closes, whose maximum
//             meets the rows before, and one more per further row that its lower edge closes there.
// Latency:    1 cycle from the pixel that completes a window to the pooled pixel; the same for a pixel passed through.
// Stall:      takes no pixel while a finished one cannot leave.
class Pooling final : public sim::Module {
 public:
  sim::StreamIn<Pixel> in{"in"};
  sim::StreamOut<Pixel> out{"out"};

  Pooling(const sc_core::sc_module_name& name, const ArrayConfig& config, bool values = true);

  bool empty() const { return sent_ == pending_.size(); }

 private:
  void step() override;
  bool send();
  void pool(const Pixel& pixel);
  void close_column(const Pixel& pixel, int pooled_column);
  void keep_larger(const Command& job, bool first, const std::uint8_t* from, std::uint8_t* to) const;
  std::uint8_t* column_of(int pooled_column);
  std::uint8_t* line_of(const Tag& tag, int pooled_row, int pooled_column);

  const int channels_;
  const bool values_;
  // What the last pixel finished, one cycle each: pixels, or a closed column that met the rows before and finished
  // none. More than one only at the map's edges.
  std::vector<std::optional<Pixel>> pending_;
  std::size_t sent_ = 0;               // of those
  std::vector<std::uint8_t> columns_;  // [pooled column modulo kernel][channel]: maxima of the windows open in this row
  std::vector<std::uint8_t> lines_;    // [pooled row modulo kernel][group][pooled column][channel]

  sim::Counter pixels_in_{*this, "pixels_in", "pixels", "pixels received"};
  sim::Counter pixels_out_{*this, "pixels_out", "pixels", "pixels sent"};
  sim::Counter stalls_{*this, "stalls", "cycles", "cycles held because the output buffer was full"};
};

}  // namespace fansim::stream
