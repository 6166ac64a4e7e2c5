// SPDX-License-Identifier: Apache-2.0
#include "estimate/estimate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/units.h"
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

Path read_path(int words) {
  const int rows = base::ceil_div(words, k::kBramRowWords);
  return Path{"choice among block RAMs", 1 + mux_levels(rows)}.between(Terminal::bram, Terminal::register_);
}

namespace {

double share(double used, int available) { return available > 0 ? std::min(1.0, used / available) : used > 0 ? 1 : 0; }

double leaves(Terminal from) {
  return from == Terminal::bram ? k::kBramOutNs : from == Terminal::dsp ? k::kDspOutNs : k::kRegisterNs / 2;
}

double enters(Terminal to) {
  return to == Terminal::bram ? k::kBramInNs : to == Terminal::dsp ? k::kDspInNs : k::kRegisterNs / 2;
}

// Describes how a design lies on its device.
struct Placement {
  double slowness = 1;  // delay of the fabric relative to the reference's
  double crowding = 1;
  bool across_dies = false;
};

Placement placed(const contract::Device& device, const contract::Resources& total) {
  const double lut = share(total.lut, device.lut), bram = share(total.bram36, device.bram36);
  const double fill = std::max(lut, bram), most = std::max(fill, share(total.dsp, device.dsp));
  return {k::kReferenceBramMhz / device.bram_fmax_mhz, 1 + k::kCrowding * fill * fill,
          device.slrs > 1 && most * device.slrs > 1};
}

std::array<PathPart, 7> parts_of(const Path& path, const Placement& at) {
  std::array<PathPart, 7> parts{{{"registers", leaves(path.from) + enters(path.to)},
                                 {"LUTs", path.luts * k::kLutNs},
                                 {"multiplier", path.products * k::kMultiplyNs},
                                 {"carry chains", path.chains * k::kChainNs + path.chain_bits / 8.0 * k::kCarry8Ns},
                                 {"nets", (path.luts + 1) * k::kNetNs * at.crowding},
                                 {"distance", std::sqrt(path.span) * k::kNsPerClb},
                                 {"between dies", path.span > 0 && at.across_dies ? k::kDieCrossingNs : 0}}};
  for (PathPart& part : parts) part.ns *= at.slowness;
  return parts;
}

}  // namespace

Fmax fmax(const contract::Device& device, const std::vector<BlockUse>& blocks, const contract::Resources& total) {
  Fmax result{std::max(device.dsp_fmax_mhz, device.bram_fmax_mhz) * 1e6, "clock tree", {}, {}};
  const auto limit = [&result](double mhz, const char* what) {
    if (mhz * 1e6 < result.hz) result = {mhz * 1e6, what, {}, {}};
  };
  if (device.clock_fmax_mhz > 0) limit(device.clock_fmax_mhz, "clock tree");
  if (total.dsp > 0) limit(device.dsp_fmax_mhz, device.dsp_slice_name());
  if (total.bram36 > 0) limit(device.bram_fmax_mhz, "block RAM");
  if (total.uram > 0) limit(device.uram_fmax_mhz, "UltraRAM");
  const double primitive_hz = result.hz;
  double longest_ns = 0;
  const Placement at = placed(device, total);
  for (const BlockUse& block : blocks) {
    for (const Path& path : block.paths) {
      const auto parts = parts_of(path, at);
      double ns = 0;
      for (const PathPart& part : parts) ns += part.ns;
      longest_ns = std::max(longest_ns, ns);
      if (ns * result.hz > 1e9) result = {1e9 / ns, path.name, block.name, {parts.begin(), parts.end()}};
    }
  }
  const auto end = [&](double share) { return std::min(primitive_hz, share * 1e9 / std::max(longest_ns, 1e-9)); };
  result.least_hz = end(1 - k::kFmaxUncertainty);
  result.most_hz = end(1 + k::kFmaxUncertainty);
  return result;
}

double Fmax::uncertainty() const { return block.empty() ? 0 : k::kFmaxUncertainty; }

const char* processing_system_source(const contract::Device& device) {
  if (!device.has_processing_system()) return "the device has none";
  return device.is_ultrascale() ? "a constant solved from the UESTC thesis's total"
                                : "a constant of published Vivado reports";
}

Power power(double clock_hz, const contract::Device& device, const contract::Resources& use) {
  const double volts = device.core_volts / k::kReferenceVolts;
  const double watt_per_pj = clock_hz * 1e-12 * volts * volts * (device.is_ultrascale() ? 1 : k::k28nm);
  Power result;
  result.static_w = k::kStaticWPerLut * device.lut;
  if (device.has_processing_system()) {
    result.static_w += k::kProcessingSystemStaticW;
    result.processing_system_w = device.is_ultrascale() ? k::kProcessingSystemW : k::kProcessingSystem7000W;
  }
  result.dsp_w = use.dsp * k::kDspPj * watt_per_pj;
  result.bram_w = use.bram36 * k::kBram36Pj * watt_per_pj;
  result.logic_w = use.lut * k::kLutPj * watt_per_pj;
  result.registers_w = use.ff * k::kFfPj * watt_per_pj;
  return result;
}

namespace {

// Applies the device's scales to a block: whole resources, and block RAMs in halves.
contract::Resources scaled(contract::Resources use, const contract::ResourceScale& scale) {
  const auto whole = [](int count, double factor) { return static_cast<int>(std::lround(count * factor)); };
  use.dsp = whole(use.dsp, scale.dsp);
  use.lut = whole(use.lut, scale.lut);
  use.lutram = whole(use.lutram, scale.lut);
  use.ff = whole(use.ff, scale.ff);
  use.bram36 = std::round(2 * use.bram36 * scale.bram36) / 2;
  return use;
}

}  // namespace

Estimate estimate_of(std::vector<BlockUse> blocks, const contract::Device& device, double clock_hz) {
  Estimate result;
  result.blocks = std::move(blocks);
  if (!device.scale.none())
    for (BlockUse& block : result.blocks) block.use = scaled(block.use, device.scale);
  for (const BlockUse& block : result.blocks) result.total += block.use;
  result.fit = fit(result.total, device);
  result.fmax = fmax(device, result.blocks, result.total);
  result.power = power(clock_hz, device, result.total);
  return result;
}

}  // namespace fansim::estimate
