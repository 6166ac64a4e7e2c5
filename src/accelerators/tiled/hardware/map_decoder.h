// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/tiled/config/encoding.h"
#include "accelerators/tiled/config/tiled_runs.h"
#include "accelerators/tiled/hardware/half_writer.h"
#include "accelerators/tiled/hardware/store_bits.h"
#include "accelerators/tiled/hardware/types.h"
#include "sim/module.h"
#include "sim/stream.h"

namespace fansim::tiled {

// Decodes the extents of a map, graded (FAQ-CNN 2.3), into the input store of the engine that they name: values in
// their order of arrival, halves in turn. Whoever issues the extents must see that a half is free.
// Throughput: one beat per cycle, no bubble between runs.
// Latency:    none: a beat popped at t is in the store from t + 1 on; with a tile's last one `filled` of its engine and
//             `turn` are pushed.
// Stall:      a tile's last beat waits while `filled` or `turn` is full.
class MapDecoder final : public sim::Module {
 public:
  sim::StreamIn<MapExtent> runs{"runs"};
  sim::StreamIn<ExtentBeat> beats{"beats"};
  sim::StreamOut<Turn> turn{"turn"};

  // Without `values`, beats are counted but not decoded.
  MapDecoder(const sc_core::sc_module_name& name, const Encoding& encoding, const TileStores<std::int16_t>& stores,
             bool values);

  // Returns the port of an engine, which must exist.
  sim::StreamOut<Half>& filled(int engine) { return writers_[static_cast<std::size_t>(engine)]->filled; }

  std::string waiting_for() const override;

 private:
  void step() override;
  void start();
  void take();
  void decode(const ExtentBeat& beat, int count, std::int16_t* to) const;

  const Encoding encoding_;
  const bool values_;
  HalfWriters<std::int16_t> writers_;
  const StoreBits bits_;
  MapExtent run_;
  HalfWriter<std::int16_t>* writer_ = nullptr;  // writer of the extent's engine
  int left_ = 0;                                // values left of the extent
  int first_ = 0;                               // first value of the next beat

  sim::Counter tiles_{*this, "tiles", "tiles", "tiles decoded"};
  sim::Counter beats_taken_{*this, "beats", "beats", "beats decoded"};
  sim::Counter decoded_{*this, "values", "values", "values decoded"};
  sim::Counter stalls_{*this, "stalls", "cycles", "a tile's last beat not taken: its tokens found no room"};
  sim::Counter waits_{*this, "waits", "cycles", "within a run, no beat there"};
};

}  // namespace fansim::tiled
