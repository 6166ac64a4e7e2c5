// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "report/run_report.h"

namespace fansim::report {

// Names a figure that a sweep shows for each of its points.
struct SweepMetric {
  const char* name;
  const char* head;  // column head with the unit
  int decimals;
};
constexpr std::array<SweepMetric, 12> kSweepMetrics{{{"cycles", "cycles", 0},
                                                     {"latency_ms", "ms", 3},
                                                     {"frames_per_s", "frames/s", 1},
                                                     {"gops", "GOPS", 1},
                                                     {"dsp", "DSP", 0},
                                                     {"lut", "LUT", 0},
                                                     {"ff", "FF", 0},
                                                     {"bram36", "BRAM36", 1},
                                                     {"fmax_mhz", "Fmax MHz", 0},
                                                     {"power_w", "W", 2},
                                                     {"energy_mj", "mJ", 2},
                                                     {"read_mb", "read MB", 3}}};

// Holds one combination of values with its time and cost, or the reason why it does not run.
struct SweepPoint {
  std::vector<std::string> values;                                  // one per key
  std::optional<std::array<double, kSweepMetrics.size()>> metrics;  // none: it does not run
  std::optional<estimate::Timing> timing;                           // none: it does not run
  std::string reason;  // why it does not run, what the device lacks, or what slack was allowed; empty: all is well
};

struct Sweep {
  Tool tool;
  Named config, network;
  std::vector<std::string> keys;
  std::vector<SweepPoint> points;
};

std::string text(const Sweep& sweep);
std::string csv(const Sweep& sweep);
std::string json(const Sweep& sweep);

}  // namespace fansim::report
