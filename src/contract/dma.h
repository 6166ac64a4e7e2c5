// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/effect.h"

namespace fansim::contract {

enum class DmaMode { direct, scatter_gather };

// AXI DMA (PG021). Latencies are in cycles of the fabric clock; docs/axi.md says where each comes from.
struct DmaConfig {
  DmaMode mode = DmaMode::direct;
  int mm2s_start = 8;          // LENGTH written to first ARVALID (PG022 latency table: command to ARVALID 8)
  int mm2s_stream = 6;         // mm2s_arvalid to mm2s_tvalid (PG021: 6); the model spends what memory leaves of it
  int s2mm_start = 8;          // LENGTH written to data accepted
  int s2mm_store = 1;          // a burst's last byte accepted to its AWVALID
  int s2mm_gap = 0;            // a burst's last write beat to the next burst's AWVALID; 0: no wait
  int sg_start = 10;           // tail descriptor write to sg_arvalid (PG021 latency table: 10)
  int sg_command = 9;          // derived from the latency table's 28: docs/axi.md
  int sg_queue = 4;            // descriptors that are fetched ahead
  int length_bits = 26;        // width of the buffer length register (PG021: 8 to 26)
  int address_bits = 32;       // 32 to 64 (PG021)
  int delay_resolution = 125;  // unit of DMACR.IRQDelay in clock cycles (PG021)

  bool scatter_gather() const { return mode == DmaMode::scatter_gather; }

  template <class V>
  void visit(V&& v) {
    v.choice("mode", mode, {{DmaMode::direct, "direct"}, {DmaMode::scatter_gather, "scatter_gather"}},
             {"direct: a LENGTH write starts a transfer; scatter_gather: transfers are descriptors in memory (PG021)",
              base::times()});
    v.field("mm2s_start", mm2s_start, 1, 1000, {"cycles from LENGTH written to the first read burst", base::times()});
    v.field("mm2s_stream", mm2s_stream, 1, 1000, {"cycles from a read beat received to the stream", base::times()});
    v.field("s2mm_start", s2mm_start, 1, 1000,
            {"cycles from LENGTH written to the first beat accepted", base::times()});
    v.field("s2mm_store", s2mm_store, 1, 1000,
            {"cycles from the last byte of a burst accepted to the burst issued", base::times()});
    v.field("s2mm_gap", s2mm_gap, 0, 1000,
            {"idle cycles from a burst's last write beat to the next burst; 0: bursts are issued ahead of their data",
             base::times()});
    v.field("sg_start", sg_start, 1, 1000,
            {"scatter_gather: cycles from TAILDESC written to the descriptor's fetch", base::times()});
    v.field("sg_command", sg_command, 1, 1000,
            {"scatter_gather: cycles from a descriptor's last word to its transfer", base::times()});
    v.field("sg_queue", sg_queue, 1, 64, {"scatter_gather: descriptors fetched ahead, per channel", base::times()});
    v.field("length_bits", length_bits, 8, 26, {"width of the buffer length register (PG021)", base::times()});
    v.field("address_bits", address_bits, 32, 64,
            {"width of an address; above 32 the _MSB registers exist (PG021)", base::times()});
    v.field("delay_resolution", delay_resolution, 1, 100000,
            {"scatter_gather: cycles per unit of DMACR.IRQDelay", base::times()});
  }
};

}  // namespace fansim::contract
