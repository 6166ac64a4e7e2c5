// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "axi/types.h"
#include "contract/axi.h"
#include "sim/module.h"
#include "sim/stream.h"

namespace fansim::axi {

// A word: the first `bytes` bytes of `data`. `last` ends the packet.
struct Word {
  static constexpr int kMaxBytes = 16;

  std::array<std::uint8_t, kMaxBytes> data{};
  int bytes = 0;
  bool last = false;
  template <class F>
  void wires(F&& f) const {
    f("bytes", static_cast<std::uint64_t>(bytes), 5);
    f("last", last, 1);
  }
};

// Packs words of 1 to 16 bytes into stream beats without gaps; the last beat of a packet may be partial and has TLAST.
// Throughput: one word per cycle as long as a word is no wider than a beat and the packet's last word does not spill
//             into a further beat, which takes a cycle of its own.
// Latency:    1: a beat completed by the word popped at t is pushed at t + 1.
// Stall:      pops nothing while a complete beat waits for `m_axis`.
class Packer final : public sim::Module {
 public:
  sim::StreamIn<Word> in{"in"};
  sim::StreamOut<StreamBeat> m_axis{"m_axis"};

  Packer(const sc_core::sc_module_name& name, const contract::AxiConfig& axi)
      : Module(name), beat_bytes_(axi.beat_bytes()) {}

 private:
  void reset() override {
    bytes_ = 0;
    ending_ = false;
  }
  void step() override;
  bool push();

  const int beat_bytes_;
  // Room for two beats, which are no wider than the widest word.
  std::array<std::uint8_t, 2 * Word::kMaxBytes> pending_{};
  int bytes_ = 0;
  bool ending_ = false;  // the packet's last word is in `pending_`

  sim::Counter words_{*this, "words", "words", "words accepted"};
  sim::Counter beats_{*this, "beats", "beats", "beats sent"};
  sim::Counter stalls_{*this, "stalls", "cycles", "beat complete but not taken"};
};

}  // namespace fansim::axi
