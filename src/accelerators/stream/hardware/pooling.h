// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "accelerators/stream/config/pooling.h"
#include "accelerators/stream/hardware/types.h"
#include "blocks/pool_windows.h"
#include "sim/module.h"
#include "sim/stream.h"

namespace fansim::stream {

// Computes maximum pooling on the stream of pixels. The maximum over a window's columns is formed as they pass, then
// combined over rows in line memories. There is one for each window open above another, as deep as a pooled row of all
// groups. A column that closes reads and writes each of them once. Pixels of jobs without pooling pass through.
// Throughput: one pixel per cycle; one more cycle per further column that the map's right edge closes, whose maximum
//             meets the rows before, and one more per further row that its lower edge closes there.
// Latency:    1 cycle from the pixel that completes a window to the pooled pixel; the same for a pixel passed through.
// Stall:      takes no pixel while a finished one cannot leave.
class Pooling final : public sim::Module {
 public:
  sim::StreamIn<Pixel> in{"in"};
  sim::StreamOut<Pixel> out{"out"};

  Pooling(const sc_core::sc_module_name& name, const PoolingConfig& config, int channels, bool values = true,
          int value_bytes = 1);

  bool empty() const { return sent_ == pending_.size(); }

 private:
  void reset() override {
    pending_.clear();
    sent_ = 0;
    columns_left_ = 0;
  }
  void step() override;
  bool send();
  void pool();
  void close_column();
  void keep_larger(const Command& job, bool first, const std::uint8_t* from, std::uint8_t* to) const;

  const PoolingConfig config_;
  const int channels_, value_bytes_, pixel_bytes_;
  const bool values_;
  Pixel pixel_{};                           // the pixel that is being processed
  int next_column_ = 0, columns_left_ = 0;  // pooled columns that it closes
  // Holds what a closed column finished, one cycle each: pixels, or nothing where it only met the rows before.
  std::vector<std::optional<Pixel>> pending_;
  std::size_t sent_ = 0;  // how many of those were sent
  blocks::PoolWindows<std::uint8_t> windows_;
  sim::Memory bits_{*this, "lines", sim::Storage::Of::block_ram,
                    [this] { return sim::StoredWords::all(windows_.lines()); }};

  sim::Counter pixels_in_{*this, "pixels_in", "pixels", "pixels received"};
  sim::Counter pixels_out_{*this, "pixels_out", "pixels", "pixels sent"};
  sim::Counter stalls_{*this, "stalls", "cycles", "cycles held because the output buffer was full"};
};

}  // namespace fansim::stream
