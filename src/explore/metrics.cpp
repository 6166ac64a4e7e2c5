// SPDX-License-Identifier: Apache-2.0
#include "explore/metrics.h"

namespace fansim::explore {
namespace {

constexpr std::array<MetricRow, kMetrics> kRows{{
    {"latency_ms", "time of one inference, or of as many as the machine computes at once", false, "seconds", 1e3},
    {"cycles", "of the accelerator's clock, all layers", false, "cycles"},
    {"frames_per_s", "inferences per second, one pass through the layers after the other", true},
    {"gops", "operations (two per multiply-accumulate) per second, 10^9", true, "gops"},
    {"dsp", "DSP slices", false},
    {"lut", "LUTs", false},
    {"ff", "registers", false},
    {"bram36", "block RAMs of 36 Kib", false},
    {"lutram", "LUTs that are memory or shift register", false},
    {"uram", "UltraRAMs", false},
    {"dsp_percent", "of the device", false},
    {"lut_percent", "of the device", false},
    {"ff_percent", "of the device", false},
    {"bram36_percent", "of the device", false},
    {"lutram_percent", "of the device", false},
    {"uram_percent", "of the device", false},
    {"read_mb", "read from DDR per inference, 10^6 bytes", false, "bytes_read", 1, 1e6},
    {"written_mb", "written to DDR per inference, 10^6 bytes", false, "bytes_written", 1, 1e6},
    {"bandwidth_gb_per_s", "to and from DDR on average, 10^9 bytes per second", false},
    {"power_w", "total, estimated", false},
    {"energy_mj", "of one inference in the chip: power over frames_per_s, without the memory", false},
    {"clock_mhz", "the accelerator's clock", true},
    {"fmax_mhz", "the fastest clock that the design's longest path allows, estimated", true},
}};

struct Source {
  std::size_t metric;
  contract::Statistic statistic;
};

// The statistics are looked up once, because a search asks for bounds all the time.
const std::vector<Source>& sources() {
  static const std::vector<Source> kSources = [] {
    std::vector<Source> sources;
    for (std::size_t i = 0; i < kMetrics; ++i)
      if (kRows[i].statistic) sources.push_back({i, contract::statistic(kRows[i].statistic)});
    return sources;
  }();
  return kSources;
}

}  // namespace

Metrics metrics_of_layers(const contract::LayerResult& total, const contract::Design& design) {
  Metrics metrics{};
  for (const Source& source : sources()) {
    const MetricRow& row = kRows[source.metric];
    metrics[source.metric] = source.statistic.of(total, design) * row.times / row.over;
  }
  return metrics;
}

const MetricRow& row(Metric metric) { return kRows[static_cast<std::size_t>(metric)]; }

std::vector<std::string> metric_names() {
  std::vector<std::string> names;
  for (const MetricRow& r : kRows) names.emplace_back(r.name);
  return names;
}

}  // namespace fansim::explore
