// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/timing/slots.h"

#include "accelerators/stream/timing/mm2s.h"
#include "base/units.h"
#include "rules/burst.h"
#include "rules/fixed_ddr.h"

namespace fansim::stream {

// The bursts of a read that is a train wait for neither slots nor the FIFO behind them. A transfer of outputs has a
// slot for each burst if it has no more of them, one more than they fill for each boundary.
int slots_that_count(const Config& config, int largest_write) {
  contract::AxiConfig axi = config.axi;
  if (config.ddr.fidelity == contract::DdrFidelity::banked) return axi.outstanding;
  const timing::Edge latency = rules::effective(config.ddr).read_latency;
  const std::int64_t beats = rules::beats_of(largest_write + axi.beat_bytes() - 1, axi);
  const std::int64_t bursts =
      base::ceil_div(beats, std::int64_t{axi.burst_beats}) + 1 + largest_write / rules::kBurstBoundary;
  for (axi.outstanding = 1; axi.outstanding < config.axi.outstanding; ++axi.outstanding)
    if (bursts <= axi.outstanding && latency <= longest_train_latency(config.dma, axi)) break;
  return axi.outstanding;
}

}  // namespace fansim::stream
