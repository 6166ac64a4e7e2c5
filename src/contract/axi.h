// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/effect.h"

namespace fansim::contract {

// The memory port between DMA and DDR. The AXI4-Streams have the same width.
struct AxiConfig {
  int data_bits = 128;
  int burst_beats = 16;
  int outstanding = 4;
  bool pins = false;

  static constexpr int kMaxBeatBytes = 64;
  int beat_bytes() const { return data_bits / 8; }
  // Returns log2 of the bytes. Every configuration refuses widths that are not powers of two.
  int beat_shift() const { return __builtin_ctz(static_cast<unsigned>(data_bits)) - 3; }
  // No burst crosses a boundary of 4 KiB (AMBA AXI protocol specification, A3.4.1).
  static constexpr int kBoundary = 4096;
  int most_burst_beats() const { return kBoundary / beat_bytes(); }
  // What the DMA's channels hold. Reading: every outstanding burst, and the beat that an unaligned transfer keeps for
  // its next one. Writing: one burst that is sent and one that is gathered.
  int mm2s_fifo_beats() const { return outstanding * burst_beats + 1; }
  int s2mm_fifo_beats() const { return 2 * burst_beats; }

  template <class V>
  void visit(V&& v) {
    v.field(
        "data_bits", data_bits, 32, 512,
        {"width of the memory port and of the AXI4-Streams, 32 at least (PG021); the streaming core takes 32, 64 or "
         "128. For less of the memory: ddr.share, ddr.data_bits",
         base::Effect{}, "32 | 64 | 128 | 256 | 512"});
    v.field("burst_beats", burst_beats, 1, 256, "longest burst on the memory port, in beats");
    v.field("outstanding", outstanding, 1, 32, "bursts in flight at most, per direction");
    v.field(
        "pins", pins,
        {"carry the DMA's AXI4 and AXI4-Stream ports on wires under a protocol checker; adds no cycle", base::inert()});
  }
};

}  // namespace fansim::contract
