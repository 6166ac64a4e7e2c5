// SPDX-License-Identifier: Apache-2.0
#include "estimate/estimate.h"

#include <fmt/format.h>

#include "estimate/coefficients.h"

namespace fansim::estimate {

namespace k = coefficients;

Fit fit(const contract::Resources& use, const contract::Device& device) {
  Fit result;
  const auto check = [&](const char* name, double used, int available) {
    if (used > available) result.reasons.push_back(fmt::format("{} {} of {}", name, used, available));
  };
  check("DSP", use.dsp, device.dsp);
  check("LUT", use.lut, device.lut);
  check("FF", use.ff, device.ff);
  check("BRAM36", use.bram36, device.bram36);
  check("LUTRAM", use.lutram, device.lutram);
  check("URAM", use.uram, device.uram);
  result.fits = result.reasons.empty();
  return result;
}

Fmax fmax(const contract::Device& device, bool uses_dsp) {
  const double path_ns = k::kRegisterNs + k::kLongestPathLuts * k::kLutNs + (k::kLongestPathLuts + 1) * k::kRouteNs;
  Fmax result{1e9 / path_ns, "control logic"};
  const auto limit = [&result](double mhz, const char* what) {
    if (mhz * 1e6 < result.hz) result = {mhz * 1e6, what};
  };
  if (uses_dsp) limit(device.dsp_fmax_mhz, device.dsp_slice_name());
  limit(device.bram_fmax_mhz, "block RAM");
  return result;
}

Power power(double clock_hz, const contract::Device& device, const contract::Resources& use) {
  const double watt_per_pj = clock_hz * 1e-12;
  Power result;
  result.static_w = k::kStaticW + k::kStaticWPerLut * device.lut;
  result.processing_system_w = k::kProcessingSystemW;
  result.dsp_w = use.dsp * k::kDspPj * watt_per_pj;
  result.bram_w = use.bram36 * k::kBram36Pj * watt_per_pj;
  result.logic_w = use.lut * k::kLutPj * watt_per_pj;
  result.registers_w = use.ff * k::kFfPj * watt_per_pj;
  return result;
}

Estimate estimate_of(std::vector<BlockUse> blocks, const contract::Device& device, double clock_hz, bool uses_dsp) {
  Estimate result;
  result.blocks = std::move(blocks);
  for (const BlockUse& block : result.blocks) result.total += block.use;
  result.fit = fit(result.total, device);
  result.fmax = fmax(device, uses_dsp);
  result.power = power(clock_hz, device, result.total);
  return result;
}

}  // namespace fansim::estimate
