// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fansim::contract {

// A memory with constant latencies behind an AXI port, in cycles of the port's clock. Some of its pages misbehave on
// request. Addresses beyond its end are mapped to nothing.
struct RamConfig {
  int kib = 1024;
  int read_latency = 2;
  int write_latency = 1;
  int slave_error_page = 0;
  int stuck_page = 0;

  static constexpr int kPageBytes = 4096;

  template <class V>
  void visit(V&& v) {
    v.field("kib", kib, 1, 1048576, "size in KiB from address 0; anything beyond answers DECERR");
    v.field("read_latency", read_latency, 1, 10000, "cycles from a read burst taken to its first beat");
    v.field("write_latency", write_latency, 1, 10000, "cycles from a write burst's last beat to its response");
    v.field("slave_error_page", slave_error_page, 0, 1048576, "4 KiB page that answers SLVERR; 0: none");
    v.field("stuck_page", stuck_page, 0, 1048576, "4 KiB page that never answers; 0: none");
  }
};

}  // namespace fansim::contract
