// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "accelerators/tiled/config/encoding.h"
#include "accelerators/tiled/config/tiled_runs.h"
#include "accelerators/tiled/config/weight_runs.h"
#include "accelerators/tiled/hardware/half_writer.h"
#include "accelerators/tiled/hardware/store_bits.h"
#include "accelerators/tiled/hardware/types.h"
#include "sim/module.h"
#include "sim/stream.h"

namespace fansim::tiled {

// Decodes extents of weights, independent of the width (FAQ-CNN 2.3), into the level-1 store of the engine that they
// name, halves in turn, and extents of parameters into their own store. Codes that no extent brings stay as they were:
// the post-processing drops output channels beyond the layer's, and input channels beyond it meet the value 0.
// Throughput: one beat per cycle, no bubble between runs; of a scattered run one value per cycle, as its values lie in
//             different words of the store.
// Latency:    none: a beat popped at t is in the store from t + 1 on; with a tile's last value `filled` of its engine
//             is pushed, with the last of the parameters `parameters`, and `turn` with either.
// Stall:      a last value waits while one of the tokens that go with it finds no room.
class WeightDecoder final : public sim::Module {
 public:
  sim::StreamIn<WeightExtent> runs{"runs"};
  sim::StreamIn<ExtentBeat> beats{"beats"};
  sim::StreamOut<Turn> turn{"turn"};
  sim::StreamOut<Turn> parameters{"parameters"};

  // Without `values`, beats are counted but not decoded.
  WeightDecoder(const sc_core::sc_module_name& name, const Encoding& encoding, const TileStores<std::uint16_t>& stores,
                ParameterStore& parameter_store, bool values);

  // Returns the port of an engine, which must exist.
  sim::StreamOut<Half>& filled(int engine) { return writers_[static_cast<std::size_t>(engine)]->filled; }
  std::string waiting_for() const override;

 private:
  void step() override;
  void start();
  void take();
  void store_codes(const ExtentBeat& beat, int count);
  void store_bytes(const ExtentBeat& beat, int count);
  bool can_end() const;
  void end();
  const Encoding& encoding() const { return run_.parameters ? bytes_ : codes_; }

  const Encoding codes_;
  const Encoding bytes_;
  const bool values_;
  ParameterStore& parameter_store_;
  HalfWriters<std::uint16_t> writers_;
  const StoreBits bits_;
  WeightExtent run_;
  HalfWriter<std::uint16_t>* writer_ = nullptr;  // writer of the extent's engine
  int left_ = 0;                                 // values left of the extent
  int row_left_ = 0;                             // values left of the row
  int first_ = 0;                                // value of the beat at the front
  std::array<std::uint8_t, WeightExtents::kParameterBytes> record_{};
  std::size_t in_record_ = 0;  // bytes of the record so far
  std::size_t channel_ = 0;    // channel of the next parameters

  sim::Counter tiles_{*this, "tiles", "tiles", "weight tiles decoded"};
  sim::Counter beats_taken_{*this, "beats", "beats", "beats decoded"};
  sim::Counter decoded_{*this, "values", "values", "codes decoded"};
  sim::Counter stalls_{*this, "stalls", "cycles", "a tile's last value not taken: its tokens found no room"};
  sim::Counter waits_{*this, "waits", "cycles", "within a run, no beat there"};
};

}  // namespace fansim::tiled
