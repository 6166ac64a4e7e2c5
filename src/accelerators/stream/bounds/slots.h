// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/stream/config/config.h"
#include "contract/axi.h"

namespace fansim::stream {

// Counts the port's slots for outstanding bursts that can matter. With more slots no read and no transfer of outputs
// would wait for one, so a layer takes the same time.
class SlotsThatCount {
 public:
  explicit SlotsThatCount(const Config& config);

  // Returns their number where the largest transfer of outputs has `largest_write` bytes.
  int with(int largest_write) const;

 private:
  const contract::AxiConfig axi_;
  int of_reads_;  // the slots that matter to reads
};

}  // namespace fansim::stream
