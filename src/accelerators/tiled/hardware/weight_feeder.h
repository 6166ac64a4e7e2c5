// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/tiled/hardware/types.h"
#include "sim/module.h"
#include "sim/reg.h"
#include "sim/stream.h"

namespace fansim::tiled {

// Moves weights from level 1 to level 2, one step's set after another; each moves when the one before has been taken.
// The stream's entry is the shadow of the set in use: for convolutions the wiring calls hold_one() on it. Jobs of other
// engines are ignored.
// Throughput: one level-1 word (`per_word` codes) per cycle. A convolution's set has tn rows of whole words; with one
//             shadow, one more cycle passes until it is seen to be free. A set of the FC engine is one word.
// Latency:    a set is pushed at the edge that reads its last word, at which a tile's last one frees the half. The half
//             may be popped at the edge that reads its first word; a job is popped one edge before.
// Stall:      begins no set while `sets` is full; reads no last word of a half while `freed` is full.
class WeightFeeder final : public sim::Module {
 public:
  sim::StreamIn<TiledJob> job{"job"};
  sim::StreamIn<Half> weights{"weights"};  // halves that are filled
  sim::StreamOut<WeightSet> sets{"sets"};
  sim::StreamOut<Half> freed{"freed"};

  // `level1` holds codes [step][tn][tm], for the FC engine [step][group][tn][tm].
  WeightFeeder(const sc_core::sc_module_name& name, const EngineConfig& config, int engine, int per_word,
               TileStore<std::uint16_t>& level1, bool values = true);

  enum class State { idle, read, wait_weights, wait_output };
  State state() const { return state_; }
  std::string waiting_for() const override;

 private:
  void step() override;
  State advance();
  void take_job();
  void push_set();
  void finish_tile();

  const EngineConfig config_;
  const int engine_;
  const int words_per_set_;
  const int per_word_;       // codes in a word
  const std::size_t codes_;  // codes in a set
  TileStore<std::uint16_t>& level1_;
  const bool values_;

  std::int64_t tiles_left_ = 0;
  int sets_per_tile_ = 0;
  int half_ = 0;
  bool have_half_ = false;
  int set_ = 0, word_ = 0;  // set and word to be read next
  State state_ = State::idle;
  sim::Word state_word_{*this, "state", {"idle", "read", "wait_weights", "wait_output"}, state_};

  sim::Counter words_{*this, "words", "words", "level-1 words read"};
  sim::Counter stalls_{*this, "stalls", "cycles", "cycles held because the shadow was full"};
  sim::Counter weight_waits_{*this, "weight_waits", "cycles", "cycles a tile waited for its weights"};
};

}  // namespace fansim::tiled
