// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/estimate/estimate.h"

#include "estimate/int8_chains.h"

namespace fansim::stream {

estimate::Estimate cost_of(const Config& config) {
  const contract::Device& device = config.device;
  estimate::Estimate cost = estimate::estimate_of(block_uses(config), device, config.clock_hz());
  if (config.array.multiplier == Multiplier::dsp48e2_dual_int8)
    estimate::refuse_packing("array.multiplier dsp48e2_dual_int8", "dsp48e2", device, cost.fit);
  if (config.array.chains())
    estimate::refuse_packing("array.multiplier dsp48e2_int8_chain", "dsp48e2", device, cost.fit);
  return cost;
}

}  // namespace fansim::stream
