// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fansim::contract {

// A FIFO between two clocks, one per AXI channel.
struct ClockConverterConfig {
  int sync_stages = 2;
  int depth = 16;

  template <class V>
  void visit(V&& v) {
    v.field("sync_stages", sync_stages, 2, 8, "registers from one clock into the other, the output's among them");
    v.field("depth", depth, 4, 1024, "entries per channel");
  }
};

// A change of bus width. Widths are in bits, powers of two from 8 to 512.
struct WidthConverterConfig {
  int manager_bits = 256;
  int subordinate_bits = 128;
  int outstanding = 8;
  int burst_beats = 256;  // AXI4's longest burst (AMBA AXI protocol specification, A3.4.1)

  int manager_bytes() const { return manager_bits / 8; }
  int subordinate_bytes() const { return subordinate_bits / 8; }
  bool up() const { return subordinate_bits > manager_bits; }

  template <class V>
  void visit(V&& v) {
    v.field("manager_bits", manager_bits, 8, 512, "width towards the manager");
    v.field("subordinate_bits", subordinate_bits, 8, 512, "width towards the subordinate");
    v.field("outstanding", outstanding, 1, 64, "bursts in flight at most, per direction");
    v.field("burst_beats", burst_beats, 1, 256, "longest burst towards the subordinate, in its beats");
  }
};

}  // namespace fansim::contract
