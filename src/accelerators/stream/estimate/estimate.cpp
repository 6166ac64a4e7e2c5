// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/estimate/estimate.h"

namespace fansim::stream {

estimate::Estimate cost_of(const Config& config) {
  return estimate::estimate_of(block_uses(config), config.device, config.clock_hz(), config.array.uses_dsp());
}

}  // namespace fansim::stream
