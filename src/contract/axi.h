// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/effect.h"

namespace fansim::contract {

// The port between DMA and DDR, and the AXI4-Stream width, which equals it.
struct AxiConfig {
  int data_bits = 128;
  int burst_beats = 16;
  int outstanding = 4;
  bool pins = false;

  static constexpr int kMaxBeatBytes = 64;
  int beat_bytes() const { return data_bits / 8; }
  // log2 of those: every configuration refuses widths that are no power of two.
  int beat_shift() const { return __builtin_ctz(static_cast<unsigned>(data_bits)) - 3; }
  // What the DMA's channels hold: every burst in flight, and the beat that an unaligned transfer holds back for the
  // next; one burst that is written and one that is gathered.
  int mm2s_fifo_beats() const { return outstanding * burst_beats + 1; }
  int s2mm_fifo_beats() const { return 2 * burst_beats; }

  template <class V>
  void visit(V&& v) {
    v.field("data_bits", data_bits, 32, 512,
            "width of the memory port and of the AXI4-Streams: 32, 64, 128, 256 or 512; the streaming core takes 64 or "
            "128");
    v.field("burst_beats", burst_beats, 1, 256, "longest burst on the memory port, in beats");
    v.field("outstanding", outstanding, 1, 32, "bursts in flight at most, per direction");
    v.field(
        "pins", pins,
        {"carry the DMA's AXI4 and AXI4-Stream ports on wires under a protocol checker; adds no cycle", base::inert()});
  }
};

}  // namespace fansim::contract
