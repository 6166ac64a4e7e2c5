// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "explore/methods.h"

namespace fansim::explore {

// Divides the space into boxes. A box is done when a bound rules it out, or when it is a single point and has been
// evaluated.
class BoxSearch {
 public:
  struct Order {
    bool best_first = false;  // false: depth first, in the order of the space
    bool refine = false;      // bounds are sharpened by simulation, piece by piece, before a box is divided
    double tolerance = 0;     // a box is ruled out unless it may be better by more than this fraction
  };
  BoxSearch(Search& search, Order order)
      : search_(search), order_(order), open_(Before{order.best_first ? Rank::best : Rank::in_order}) {}

  void run();

 private:
  struct Open {
    Box box;
    std::vector<double> best;  // no point of the box has better goals than these
    Effort effort = 0;
    bool refinable = false;
  };
  enum class Rank { in_order, best, largest };
  struct Before {
    Rank rank;
    bool operator()(const Open& a, const Open& b) const;
  };
  // Holds what the examination of an open box produced: smaller boxes, points that cannot meet the constraints, or a
  // point to evaluate.
  struct Step {
    std::vector<Open> boxes;
    double cannot_meet = 0;
    bool evaluate = false;
  };

  void begin();
  void take_share();
  std::vector<Open> take_batch();
  bool ruled_out(const Open& open) const;
  Step step(const Open& open) const;
  std::optional<Open> bounded(const Box& box, const std::vector<double>& best, Effort effort) const;
  Bounds bounds_of(const Box& box, Effort effort) const;
  std::vector<double> best_goals(const MetricRanges& ranges) const;

  Search& search_;
  const Order order_;
  std::set<Open, Before> open_;
  double decided_ = 0;
};

}  // namespace fansim::explore
