// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "explore/metrics.h"
#include "explore/point.h"

namespace fansim::explore {

// What became of a point.
struct Outcome {
  enum class Kind {
    scored,
    misfit,  // cannot be built or scheduled, for `reason`: a value like any other
    failed,  // its evaluation broke down, for `reason`: this point is lost, no other
  };
  Kind kind = Kind::scored;
  Metrics metrics{};
  std::string reason;

  static Outcome misfit(std::string reason) { return {Kind::misfit, {}, std::move(reason)}; }
  static Outcome failed(std::string reason) { return {Kind::failed, {}, std::move(reason)}; }
};

// What is sure about all points of a box. Intervals may be wider than need be, never narrower.
struct Bounds {
  bool possible = true;    // false: every point is a misfit
  bool refinable = false;  // more effort may narrow them
  MetricRanges metrics{};
};

// How much of what is fixed for all of a box is simulated for its bounds: so many pieces. 0: bounds by formula only.
using Effort = int;

// Scores points. Called from several threads at once.
class Model {
 public:
  Model() = default;
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;
  virtual ~Model() = default;

  virtual Outcome evaluate(const Point& point) const = 0;
  virtual Bounds bounds(const Box&, Effort) const { return {}; }
};

}  // namespace fansim::explore
