// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arch/result.h"

namespace fansim::rules {

// What the machine looks like at one edge, seen from the MAC array.
struct CycleSigns {
  bool compute = false;       // the array took a window
  bool drain = false;         // every window of the job is taken, or a layer's last results are on their way to DDR
  bool fill = false;          // line buffers or window are being filled, or the job's next pass is being issued
  bool wait_output = false;   // a window or job waits for room behind it
  bool wait_weights = false;  // a window or job waits for weights or bias
  bool wait_input = false;    // a job waits for its input
  bool ddr_refresh = false;   // of a wait for weights or input: what its oldest outstanding read waits for
  bool ddr_row_miss = false;
  bool ddr_turnaround = false;
  bool ddr_arbitration = false;
  bool dma_setup = false;  // a DMA transfer is being prepared or has not issued its first burst
  bool host = false;       // the host runs software, writes registers or enters an interrupt handler
};

// The bucket of the edge: the first sign that holds; a ddr_* sign refines a wait for data.
arch::Bucket bucket(const CycleSigns& signs);

}  // namespace fansim::rules
