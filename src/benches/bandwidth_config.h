// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/rational.h"
#include "contract/axi.h"
#include "contract/converters.h"
#include "contract/ddr.h"

namespace fansim::benches {

// Describes what reads memory: an accelerator's AXI port that requests bursts and takes their data.
struct BurstReaderConfig {
  int data_bits = 256;
  int burst_beats = 256;
  int outstanding = 16;
  int gap = 1;
  int tile_bytes = 0;

  int beat_bytes() const { return data_bits / 8; }

  template <class V>
  void visit(V&& v) {
    v.field("data_bits", data_bits, 8, 512, "width of the reader's port");
    v.field("burst_beats", burst_beats, 1, 256, "beats of a burst, fewer at a 4 KiB boundary");
    v.field("outstanding", outstanding, 1, 64, "bursts in flight at most");
    v.field("gap", gap, 0, 1000, "cycles after a burst's last beat in which no data are taken");
    v.field("tile_bytes", tile_bytes, 0, 1 << 24, "bytes after which the reader waits for the last; 0: never");
  }
};

// Describes a reader in the fabric in front of one port of the processing system's memory:
// reader -> clock converter -> width converter -> port.
struct BandwidthConfig {
  base::Rational pl_mhz{200, 1};
  base::Rational port_mhz{1000, 3};
  BurstReaderConfig reader;
  contract::ClockConverterConfig clock_converter;
  contract::AxiConfig port;
  contract::DdrConfig ddr;

  template <class F>
  void visit_blocks(F&& f) {
    f("reader", reader);
    f("clock_converter", clock_converter);
    f("port", port);
    f("ddr", ddr);
  }
};

BandwidthConfig load_bandwidth_bench(const std::string& path, const std::vector<std::string>& overrides);

}  // namespace fansim::benches
