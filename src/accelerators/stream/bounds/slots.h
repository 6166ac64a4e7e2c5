// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accelerators/stream/config/config.h"
#include "contract/axi.h"

namespace fansim::stream {

// Of the port's slots for outstanding bursts those that can count: with more of them no read and no transfer of outputs
// would wait for one, and a layer's time is the same.
class SlotsThatCount {
 public:
  explicit SlotsThatCount(const Config& config);

  // Where the largest transfer of outputs has so many bytes.
  int with(int largest_write) const;

 private:
  const contract::AxiConfig axi_;
  int of_reads_;
};

}  // namespace fansim::stream
