// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "axi/read_bursts.h"
#include "axi/types.h"
#include "benches/bandwidth_config.h"
#include "sim/module.h"
#include "sim/stream.h"

namespace fansim::benches {

// Reads the bytes [0, bytes) of memory again and again in bursts, as an accelerator's AXI port does.
// Throughput: one burst per cycle, one beat per cycle but for the `gap` cycles after each burst's last.
// Latency:    none of its own; with tile_bytes the next tile's first burst follows the last beat of the one before.
// Stall:      at most `outstanding` bursts in flight.
class BurstReader final : public sim::Module {
 public:
  sim::StreamOut<axi::ReadBurst> ar{"ar"};
  sim::StreamIn<axi::ReadBeat> r{"r"};

  BurstReader(const sc_core::sc_module_name& name, const BurstReaderConfig& config, std::int64_t bytes);

  std::int64_t bytes_read() const { return beats_.value() * config_.beat_bytes(); }

 private:
  void step() override;
  void issue();
  void take();

  const BurstReaderConfig config_;
  const contract::AxiConfig axi_;
  const std::int64_t bytes_;
  axi::ReadBursts in_flight_;
  std::int64_t next_ = 0;       // address of the next burst
  std::int64_t tile_left_ = 0;  // bytes of the tile that are not yet requested

  sim::Counter bursts_{*this, "bursts", "bursts", "bursts asked for"};
  sim::Counter beats_{*this, "beats", "beats", "beats taken"};
};

}  // namespace fansim::benches
