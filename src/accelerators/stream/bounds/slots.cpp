// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/bounds/slots.h"

#include <algorithm>
#include <cstdint>

#include "accelerators/stream/replay/replayed_inputs.h"
#include "base/units.h"
#include "rules/burst.h"
#include "rules/fixed_ddr.h"

namespace fansim::stream {

// The bursts of a read that is a train wait for neither slots nor the FIFO behind them.
SlotsThatCount::SlotsThatCount(const Config& config) : axi_(config.axi), of_reads_(axi_.outstanding) {
  if (!takes_trains(config.ddr, config.axi)) return;
  const timing::Edge latency = rules::effective(config.ddr).read_latency;
  contract::AxiConfig axi = axi_;
  for (axi.outstanding = 1; axi.outstanding < axi_.outstanding; ++axi.outstanding)
    if (latency <= longest_train_latency(config.dma, axi)) break;
  of_reads_ = axi.outstanding;
}

// A transfer of outputs has a slot for each burst if it has no more of them, one more than they fill for each boundary.
int SlotsThatCount::with(int largest_write) const {
  const std::int64_t beats = rules::beats_of(largest_write + axi_.beat_bytes() - 1, axi_);
  const std::int64_t bursts =
      base::ceil_div(beats, std::int64_t{axi_.burst_beats}) + 1 + largest_write / rules::kBurstBoundary;
  return static_cast<int>(std::clamp<std::int64_t>(bursts, of_reads_, axi_.outstanding));
}

}  // namespace fansim::stream
