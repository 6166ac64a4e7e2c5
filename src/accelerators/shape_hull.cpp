// SPDX-License-Identifier: Apache-2.0
#include "accelerators/shape_hull.h"

#include <algorithm>

namespace fansim::accelerators {
namespace {

using explore::Bounds;
using explore::Box;
using explore::Interval;
using explore::Metric;

constexpr double kMostShapes = 4096;

constexpr Metric kCosts[] = {Metric::latency_ms, Metric::cycles,         Metric::dsp,         Metric::lut,
                             Metric::ff,         Metric::bram36,         Metric::dsp_percent, Metric::lut_percent,
                             Metric::ff_percent, Metric::bram36_percent, Metric::lutram,      Metric::lutram_percent,
                             Metric::uram,       Metric::uram_percent,   Metric::power_w,     Metric::energy_mj};

// Widens bounds so that they hold for two boxes together.
void widen(Bounds& bounds, const Bounds& other) {
  for (std::size_t i = 0; i < explore::kMetrics; ++i) {
    bounds.metrics[i].low = std::min(bounds.metrics[i].low, other.metrics[i].low);
    bounds.metrics[i].high = std::max(bounds.metrics[i].high, other.metrics[i].high);
  }
}

}  // namespace

Bounds bounds_from(const explore::Metrics& best) {
  Bounds bounds;
  for (const Metric metric : kCosts) of(bounds.metrics, metric) = Interval::at_least(of(best, metric));
  for (const Metric metric : {Metric::frames_per_s, Metric::gops}) of(bounds.metrics, metric) = {0, of(best, metric)};
  of(bounds.metrics, Metric::clock_mhz) = Interval::of(of(best, Metric::clock_mhz));
  // More resources make paths longer and the device fuller, so Fmax can only fall.
  of(bounds.metrics, Metric::fmax_mhz) = {0, of(best, Metric::fmax_mhz)};
  return bounds;
}

Bounds shape_hull(const Box& box, const std::vector<bool>& shapes, const PartBounds& part) {
  double count = 1;
  Box shape = box;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    if (!shapes[i]) continue;
    count *= box.sides[i].size();
    shape.sides[i].last = shape.sides[i].first;
  }
  if (count > kMostShapes) return {};
  std::optional<Bounds> all;
  while (true) {
    if (const std::optional<Bounds> one = part(shape)) {
      if (all) widen(*all, *one);
      if (!all) all = one;
    }
    std::size_t i = 0;
    for (; i < shapes.size(); ++i) {
      if (!shapes[i]) continue;
      Box::Side& side = shape.sides[i];
      if (side.last < box.sides[i].last) {
        side.first = ++side.last;
        break;
      }
      side.first = side.last = box.sides[i].first;
    }
    if (i == shapes.size()) break;
  }
  if (!all) return {false, false, {}};
  return *all;
}

}  // namespace fansim::accelerators
