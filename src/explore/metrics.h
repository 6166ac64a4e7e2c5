// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

#include "contract/statistics.h"
#include "explore/interval.h"

namespace fansim::explore {

// Names what is known about a point once it has been simulated and its resources have been estimated.
enum class Metric {
  latency_ms,
  cycles,
  frames_per_s,
  gops,
  dsp,
  lut,
  ff,
  bram36,
  lutram,
  uram,
  dsp_percent,
  lut_percent,
  ff_percent,
  bram36_percent,
  lutram_percent,
  uram_percent,
  read_mb,
  written_mb,
  bandwidth_gb_per_s,
  power_w,
  energy_mj,
  clock_mhz,
  fmax_mhz,
};
constexpr std::size_t kMetrics = static_cast<std::size_t>(Metric::fmax_mhz) + 1;

struct MetricRow {
  const char* name;
  const char* meaning;
  bool more_is_better;
  // The metric is this statistic of all layers (contract/statistics.h), times `times`, divided by `over`. A metric
  // without a statistic belongs to the design.
  const char* statistic = nullptr;
  double times = 1, over = 1;
};
const MetricRow& row(Metric metric);
std::vector<std::string> metric_names();  // in the order of the enumeration

using Metrics = std::array<double, kMetrics>;
using MetricRanges = std::array<Interval, kMetrics>;

// Returns the metrics that follow from statistics, summed over all layers; the others are 0.
Metrics metrics_of_layers(const contract::LayerResult& total, const contract::Design& design);

inline double& of(Metrics& metrics, Metric metric) { return metrics[static_cast<std::size_t>(metric)]; }
inline double of(const Metrics& metrics, Metric metric) { return metrics[static_cast<std::size_t>(metric)]; }
inline Interval& of(MetricRanges& ranges, Metric metric) { return ranges[static_cast<std::size_t>(metric)]; }
inline const Interval& of(const MetricRanges& ranges, Metric metric) {
  return ranges[static_cast<std::size_t>(metric)];
}

}  // namespace fansim::explore
