// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "explore/metrics.h"
#include "explore/point.h"

namespace fansim::explore {

// Holds the result of evaluating a point.
struct Outcome {
  enum class Kind {
    scored,
    misfit,  // cannot be built or scheduled, for `reason`; a regular result
    failed,  // the evaluation itself failed, for `reason`; only this point is given up
  };
  Kind kind = Kind::scored;
  Metrics metrics{};
  std::string reason;

  static Outcome misfit(std::string reason) { return {Kind::misfit, {}, std::move(reason)}; }
  static Outcome failed(std::string reason) { return {Kind::failed, {}, std::move(reason)}; }
};

// Holds what is certain for all points of a box. Intervals may be wider than necessary, never narrower.
struct Bounds {
  bool possible = true;    // false: every point is a misfit
  bool refinable = false;  // more effort may narrow the intervals
  MetricRanges metrics{};
};

// Says how much may be simulated to bound a box: this many of the pieces that are the same for all its points. 0: the
// bounds come from formulas only.
using Effort = int;

// Scores points. Its functions are called from several threads at once.
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
