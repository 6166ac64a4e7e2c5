// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/tiled/config/config.h"
#include "accelerators/tiled/config/encoding.h"
#include "accelerators/tiled/config/tiled_runs.h"
#include "accelerators/tiled/hardware/types.h"
#include "sim/module.h"
#include "sim/pipeline.h"
#include "sim/stream.h"

namespace fansim::tiled {

// Encodes the output store, graded (FAQ-CNN 2.3), into the beats of extents. Values leave in the order of the half,
// which a token of `filled` opens and the extent with `last` ends. Only bytes with a bit of the extent are strobed. An
// extent must not begin inside a byte; the byte in which it ends is written whole, and its rest is zero.
// Throughput: one beat per cycle, no bubble between runs and halves.
// Latency:    StoreConfig::read_latency() from the edge that pops a run, and a half if none is open, to the push of the
//             run's first beat; the half is freed at the edge that reads its last value.
// Stall:      holds every stage while `beats` is full; the half's last read waits while `freed` is.
class MapEncoder final : public sim::Module {
 public:
  sim::StreamIn<Extent> runs{"runs"};
  sim::StreamIn<Half> filled{"filled"};
  sim::StreamOut<Half> freed{"freed"};
  sim::StreamOut<ExtentBeat> beats{"beats"};

  // Without `values`, beats are only counted; their strobes stay the same.
  MapEncoder(const sc_core::sc_module_name& name, const Encoding& encoding, TileStore<std::int16_t>& store,
             bool values);

  std::string waiting_for() const override;

 private:
  void step() override;
  sim::StoredWords stored(int half) {
    return {store_[half].data(), store_[half].size(), sizeof(std::int16_t), encoding_.value_bits};
  }
  void start();
  void read();
  void encode(const std::int16_t* values, int count, ExtentBeat& beat) const;

  const Encoding encoding_;
  const bool values_;
  TileStore<std::int16_t>& store_;
  sim::Memory half0_bits_{*this, "half0", sim::Storage::Of::block_ram, [this] { return stored(0); }};
  sim::Memory half1_bits_{*this, "half1", sim::Storage::Of::block_ram, [this] { return stored(1); }};
  sim::Pipeline<ExtentBeat> pipeline_;
  bool open_ = false;
  Half half_;             // the half that is being read, while open_
  std::size_t next_ = 0;  // its next value to read
  Extent run_;
  int left_ = 0;   // values left of the extent
  int first_ = 0;  // first value of the next beat

  sim::Counter tiles_{*this, "tiles", "tiles", "tiles encoded"};
  sim::Counter beats_read_{*this, "beats", "beats", "beats encoded"};
  sim::Counter encoded_{*this, "values", "values", "values encoded"};
  sim::Counter stalls_{*this, "stalls", "cycles", "held: a beat or a freed half found no room"};
  sim::Counter waits_{*this, "waits", "cycles", "a run there but no filled half"};
};

}  // namespace fansim::tiled
