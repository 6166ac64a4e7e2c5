// SPDX-License-Identifier: Apache-2.0
#include "explore/metrics.h"

namespace fansim::explore {
namespace {

constexpr std::array<MetricRow, kMetrics> kRows{{
    {"latency_ms", "time of one inference", false},
    {"cycles", "of the accelerator's clock, all layers", false},
    {"frames_per_s", "inferences per second, one after the other", true},
    {"gops", "operations (two per multiply-accumulate) per second, 10^9", true},
    {"dsp", "DSP slices", false},
    {"lut", "LUTs", false},
    {"ff", "registers", false},
    {"bram36", "block RAMs of 36 Kib", false},
    {"dsp_percent", "of the device", false},
    {"lut_percent", "of the device", false},
    {"ff_percent", "of the device", false},
    {"bram36_percent", "of the device", false},
    {"read_mb", "read from DDR per inference, 10^6 bytes", false},
    {"written_mb", "written to DDR per inference, 10^6 bytes", false},
    {"bandwidth_gb_per_s", "to and from DDR on average, 10^9 bytes per second", false},
    {"power_w", "total, estimated", false},
    {"energy_mj", "of one inference: power times latency", false},
    {"clock_mhz", "the accelerator's clock", true},
    {"fmax_mhz", "the fastest clock that the device's blocks allow", true},
}};

}  // namespace

const MetricRow& row(Metric metric) { return kRows[static_cast<std::size_t>(metric)]; }

std::vector<std::string> metric_names() {
  std::vector<std::string> names;
  for (const MetricRow& r : kRows) names.emplace_back(r.name);
  return names;
}

}  // namespace fansim::explore
