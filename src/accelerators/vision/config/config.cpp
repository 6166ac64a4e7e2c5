// SPDX-License-Identifier: Apache-2.0
#include "accelerators/vision/config/config.h"

#include <fmt/format.h>

#include "contract/load_config.h"

namespace fansim::vision {
namespace {

bool power_of_two(int value) { return (value & (value - 1)) == 0; }

struct Rules : contract::BlockRules {
  using BlockRules::check;

  static void check(contract::Problems& problems, const PixelsConfig& pixels) {
    if (!power_of_two(pixels.samples))
      problems.push_back(
          {"samples", fmt::format("samples {} is no power of two; allowed: 1, 2, 4, 8", pixels.samples)});
  }
  static void check(contract::Problems& problems, const FilterConfig& filter) {
    if (filter.kernel != 0 && (filter.kernel % 2 == 0 || filter.kernel < 3))
      problems.push_back({"kernel", fmt::format("kernel {} has no centre; allowed: 0, 3, 5, 7", filter.kernel)});
  }
  static void check(contract::Problems& problems, const MedianConfig& median) {
    if (median.kernel != 0 && median.kernel != 3 && median.kernel != 5)
      problems.push_back({"kernel", fmt::format("kernel {} has no network; allowed: 0, 3, 5", median.kernel)});
  }
  static void check(contract::Problems& problems, const contract::DmaConfig& dma) {
    if (dma.scatter_gather())
      problems.push_back({"mode", "mode scatter_gather: the rows of an image come from registers; allowed: direct"});
  }

  static contract::Problems between(const Config& c) {
    contract::Problems problems;
    // A cycle's results, of 16 bits each, must fit into one beat.
    const int widest = c.pixels.samples * 2 * (c.filter.exists() ? c.filter.banks : 1);
    if (widest > c.axi.beat_bytes())
      problems.push_back(
          {"pixels", fmt::format("pixels: {} samples make results of {} bytes a cycle, more than the port's {}",
                                 c.pixels.samples, widest, c.axi.beat_bytes())});
    if (!c.filter.exists() && !c.median.exists() && !c.simd.enabled)
      problems.push_back(
          {"filter", "filter.kernel 0, median.kernel 0, simd.enabled false: nothing is left to compute"});
    check_memory(problems, "axi", c.ddr, c.memory_ports());
    return problems;
  }
};

}  // namespace

Config Config::read(const std::string& path, const std::vector<std::string>& overrides) {
  return contract::load_config<Config, Rules>(path, overrides);
}

std::string refusal(const Config& config) { return contract::first_refusal<Rules>(config); }

void add_idle(contract::IdleKeys& idle, const Config& c) {
  contract::add_above(idle, "axi.burst_beats", c.axi.burst_beats, c.axi.most_burst_beats(), "a burst ends at 4 KiB");
  if (!c.filter.exists())
    contract::add_idle(idle, "filter", {"banks", "terms", "rebase", "scaler"},
                       "filter.kernel is 0: there is no engine");
  else if (!c.filter.rebase)
    contract::add_idle(idle, "filter", {"terms"}, "without rebase one cascade sums the whole window");
  if (!c.median.exists())
    contract::add_idle(idle, "median", {"network", "mode"}, "median.kernel is 0: there is no such unit");
  if (!c.simd.enabled) contract::add_idle(idle, "simd", {"mode", "multipliers"}, "simd.enabled is false");
}

}  // namespace fansim::vision
