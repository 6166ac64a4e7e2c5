// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/random.h"
#include "explore/search.h"
#include "support/user_error.h"

// This file has small spaces all of whose points can be tried, and a cost function for tests that need no accelerator.
namespace fansim::test {

inline explore::Space space_of(const std::string& yaml) {
  const ScratchDirectory folder;
  base::write_file(folder / "config.yaml", "");
  base::write_file(folder / "space.yaml", "version: 1\nname: small\nconfig: config.yaml\n" + yaml);
  return explore::load_space(folder / "space.yaml");
}

// Models an array of a x b multipliers with overheads that no formula predicts; the parameters are a, b and c in that
// order.
class Synthetic : public explore::Model {
 public:
  explicit Synthetic(const explore::Space& space, std::uint64_t seed = 1) : space_(space), seed_(seed) {}

  explore::Outcome evaluate(const explore::Point& point) const override {
    ++evaluations;
    const std::vector<double> v = values(point);
    const double noise = hashed(point);
    if (noise > 0.97) return explore::Outcome::misfit("cannot be scheduled");
    explore::Outcome outcome;
    explore::Metrics& m = outcome.metrics;
    of(m, Metric::cycles) = work(v[0], v[1]) * (1 + 0.2 * noise) + std::floor(50 * noise) + 10 / v[2];
    of(m, Metric::latency_ms) = of(m, Metric::cycles) / 100;
    of(m, Metric::dsp) = v[0] * v[1];
    of(m, Metric::lut) = 20 * v[0] + 10 * v[1] + 7 * v[2] + std::floor(30 * noise);
    of(m, Metric::lut_percent) = of(m, Metric::lut) / 10;
    of(m, Metric::frames_per_s) = 1e3 / of(m, Metric::latency_ms);
    return outcome;
  }

  explore::Bounds bounds(const explore::Box& box, explore::Effort) const override {
    ++bounded;
    explore::Bounds bounds;
    const std::vector<double> low = values(box.first()), high = values(box.last());
    explore::MetricRanges& m = bounds.metrics;
    const double cycles = work(high[0], high[1]);
    of(m, Metric::cycles) = explore::Interval::at_least(cycles);
    of(m, Metric::latency_ms) = explore::Interval::at_least(cycles / 100);
    of(m, Metric::dsp) = {low[0] * low[1], high[0] * high[1]};
    of(m, Metric::lut) = explore::Interval::at_least(20 * low[0] + 10 * low[1] + 7 * low[2]);
    of(m, Metric::lut_percent) = explore::Interval::at_least(of(m, Metric::lut).low / 10);
    of(m, Metric::frames_per_s) = {0, 1e5 / cycles};
    return bounds;
  }

  mutable std::atomic<int> evaluations{0}, bounded{0};

 protected:
  using Metric = explore::Metric;

  std::vector<double> values(const explore::Point& point) const {
    std::vector<double> values;
    for (std::size_t i = 0; i < point.size(); ++i)
      values.push_back(*space_.parameters[i].values[static_cast<std::size_t>(point[i])].number);
    return values;
  }
  static double work(double a, double b) { return std::ceil(96 / a) * std::ceil(64 / b) * 20; }
  // Returns a number in [0, 1) that differs for every point and seed.
  double hashed(const explore::Point& point) const {
    base::Random random(seed_, space_.text(point));
    return std::ldexp(static_cast<double>(random.next() >> 11), -53);
  }

  const explore::Space& space_;
  const std::uint64_t seed_;
};

inline const std::string kSmallSpace =
    "parameters:\n"
    "  a: {range: [1, 20]}\n"
    "  b: {powers_of_two: [1, 64]}\n"
    "  c: [1, 2, 5]\n"
    "constraints: [dsp <= 200, lut_percent <= 60]\n";

inline std::vector<explore::Point> every_point(const explore::Space& space) {
  std::vector<explore::Point> points{{}};
  for (const explore::Parameter& parameter : space.parameters) {
    std::vector<explore::Point> longer;
    for (const explore::Point& point : points)
      for (int i = 0; i < parameter.size(); ++i) {
        longer.push_back(point);
        longer.back().push_back(i);
      }
    points = longer;
  }
  return points;
}

// Compares all pairs of points. It uses only the truth of the constraints from the code under test.
std::vector<explore::Point> front_by_force(const explore::Space& space, const explore::Model& model);

inline std::vector<explore::Point> points_of(const std::vector<explore::Scored>& front) {
  std::vector<explore::Point> points;
  for (const explore::Scored& scored : front) points.push_back(scored.point);
  std::sort(points.begin(), points.end());
  return points;
}

}  // namespace fansim::test
