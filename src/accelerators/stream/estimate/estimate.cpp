// SPDX-License-Identifier: Apache-2.0
#include "accelerators/stream/estimate/estimate.h"

#include <fmt/format.h>

namespace fansim::stream {
namespace {

constexpr int kPackedOperandBits = 27;  // a * 2^18 + b of two signed bytes and the sign of their sum (WP486, UG579)

}  // namespace

estimate::Estimate cost_of(const Config& config) {
  const contract::Device& device = config.device;
  estimate::Estimate cost = estimate::estimate_of(block_uses(config), device, config.clock_hz());
  if (config.array.multiplier == Multiplier::dsp48e2_dual_int8 && device.dsp_operand_bits() < kPackedOperandBits)
    cost.fit.refuse(
        fmt::format("array.multiplier dsp48e2_dual_int8 on {}: two packed INT8 products need an operand of {} bits, "
                    "the {} has {}; use dsp48e2, a slice per product",
                    device.name, kPackedOperandBits, device.dsp_slice_name(), device.dsp_operand_bits()));
  return cost;
}

}  // namespace fansim::stream
