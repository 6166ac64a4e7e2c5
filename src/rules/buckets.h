// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arch/result.h"
#include "rules/read_wait.h"

namespace fansim::rules {

// What the machine looks like at one edge, seen from the MAC array.
struct CycleSigns {
  bool compute = false;       // the array took a window
  bool drain = false;         // every window of the job is taken, or a layer's last results are on their way to DDR
  bool fill = false;          // line buffers or window are being filled, or the job's next pass is being issued
  bool wait_output = false;   // a window or job waits for room behind it
  bool wait_weights = false;  // a window or job waits for weights or bias
  bool wait_input = false;    // a job waits for its input
  ReadWait read_wait = ReadWait::none;  // of a wait for weights or input: what its oldest outstanding read waits for
  bool dma_setup = false;               // a DMA transfer is being prepared or has not issued its first burst
  bool host = false;                    // the host runs software, writes registers or enters an interrupt handler
};

// The bucket of the edge: the first sign that holds; what a read waits for refines a wait for data.
arch::Bucket bucket(const CycleSigns& signs);

// The bucket of an edge that waits for data while the oldest outstanding read waits for `why`; `wait` if for nothing.
arch::Bucket data_wait(ReadWait why, arch::Bucket wait);

}  // namespace fansim::rules
