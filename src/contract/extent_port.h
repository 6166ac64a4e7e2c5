// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "contract/axi.h"

namespace fansim::contract {

// An AXI manager that moves extents between memory and a decoder or encoder.
struct ExtentPortConfig {
  int data_bits = 32;
  int burst_beats = 16;
  int outstanding = 16;
  int gap = 0;  // reads: cycles after a burst's last beat in which no data are taken

  int beat_bytes() const { return data_bits / 8; }
  // Returns the room for writes: one burst that is sent and one that is gathered.
  int buffer_beats() const { return 2 * burst_beats; }
  // Returns the edges from taking a burst's last beat into the buffer to issuing the burst.
  static constexpr int buffer_latency() { return 1; }
  contract::AxiConfig axi() const {
    contract::AxiConfig axi;
    axi.data_bits = data_bits;
    axi.burst_beats = burst_beats;
    axi.outstanding = outstanding;
    return axi;
  }
};

}  // namespace fansim::contract
