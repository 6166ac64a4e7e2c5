// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/stream/config/array.h"
#include "accelerators/stream/config/tile.h"
#include "accelerators/stream/hardware/types.h"
#include "sim/memory_port.h"
#include "sim/module.h"
#include "sim/stream.h"

namespace fansim::stream {

// Puts finished pixels into the output half of their job, as planes of input_channels values each (as the next layer
// reads them), and reports the tile when its last pixel is in. Pixels of rows beyond the tile are dropped.
// Throughput: one pixel per cycle.
// Latency:    the pixel is in the buffer at the edge that takes it.
// Stall:      takes no pixel while the tile report of the one before cannot leave.
class OutputStore final : public sim::Module {
 public:
  sim::StreamIn<Pixel> map{"map"};
  sim::StreamIn<Pixel> hidden{"hidden"};
  sim::StreamOut<Tile> tiles{"tiles"};

  OutputStore(const sc_core::sc_module_name& name, const ArrayConfig& config, sim::WritePort& buffer);

 private:
  void reset() override { stored_ = 0; }
  void step() override;
  void store(const Pixel& pixel);
  int pixels_of(const Command& job) const;

  const ArrayConfig config_;
  sim::WritePort& buffer_;
  int stored_ = 0;  // pixels of the tile in progress

  sim::Counter pixels_{*this, "pixels", "pixels", "pixels stored"};
  sim::Counter dropped_{*this, "dropped", "pixels", "pixels of rows beyond the layer, dropped"};
};

}  // namespace fansim::stream
