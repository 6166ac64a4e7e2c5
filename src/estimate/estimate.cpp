// SPDX-License-Identifier: Apache-2.0
#include "estimate/estimate.h"

#include <fmt/format.h>

#include "estimate/coefficients.h"

namespace fansim::estimate {

namespace k = coefficients;

Fit fit(const arch::Resources& use, const arch::Device& device) {
  Fit result;
  const auto check = [&](const char* name, double used, int available) {
    if (used > available) result.reasons.push_back(fmt::format("{} {} of {}", name, used, available));
  };
  check("DSP", use.dsp, device.dsp);
  check("LUT", use.lut, device.lut);
  check("FF", use.ff, device.ff);
  check("BRAM36", use.bram36, device.bram36);
  result.fits = result.reasons.empty();
  return result;
}

Fmax fmax(const arch::StreamConfig& config) {
  const double path_ns = k::kRegisterNs + k::kLongestPathLuts * k::kLutNs + (k::kLongestPathLuts + 1) * k::kRouteNs;
  Fmax result{1e9 / path_ns, "control logic"};
  const auto limit = [&result](double mhz, const char* what) {
    if (mhz * 1e6 < result.hz) result = {mhz * 1e6, what};
  };
  if (config.array.uses_dsp()) limit(config.device.dsp_fmax_mhz, "DSP48E2");
  limit(config.device.bram_fmax_mhz, "block RAM");
  return result;
}

Power power(const arch::StreamConfig& config, const arch::Resources& use) {
  const double watt_per_pj = config.clock_hz() * 1e-12;
  Power result;
  result.static_w = k::kStaticW + k::kStaticWPerLut * config.device.lut;
  result.processing_system_w = k::kProcessingSystemW;
  result.dsp_w = use.dsp * k::kDspPj * watt_per_pj;
  result.bram_w = use.bram36 * k::kBram36Pj * watt_per_pj;
  result.logic_w = use.lut * k::kLutPj * watt_per_pj;
  result.registers_w = use.ff * k::kFfPj * watt_per_pj;
  return result;
}

Estimate estimate(const arch::StreamConfig& config) {
  Estimate result;
  result.blocks = block_uses(config);
  for (const BlockUse& block : result.blocks) result.total += block.use;
  result.fit = fit(result.total, config.device);
  result.fmax = fmax(config);
  result.power = power(config, result.total);
  return result;
}

}  // namespace fansim::estimate
