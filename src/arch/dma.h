// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fansim::arch {

// AXI DMA in direct register mode (PG021). Latencies in cycles of the fabric clock.
struct DmaConfig {
  int mm2s_start = 8;  // LENGTH written to first ARVALID; PG022 latency table: command to ARVALID 8
  int mm2s_stream =
      6;  // PG021 latency table: mm2s_arvalid to mm2s_tvalid 6, of which this model spends what memory leaves
  int s2mm_start = 8;    // LENGTH written to data accepted
  int length_bits = 26;  // width of the buffer length register (PG021: 8 to 26)

  template <class V>
  void visit(V&& v) {
    v.field("mm2s_start", mm2s_start, 1, 1000, "cycles from LENGTH written to the first read burst");
    v.field("mm2s_stream", mm2s_stream, 1, 1000, "cycles from a read beat received to the stream");
    v.field("s2mm_start", s2mm_start, 1, 1000, "cycles from LENGTH written to the first beat accepted");
    v.field("length_bits", length_bits, 8, 26, "width of the buffer length register (PG021)");
  }
};

}  // namespace fansim::arch
