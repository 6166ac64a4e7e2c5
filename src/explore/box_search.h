// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "explore/methods.h"

namespace fansim::explore {

// Divides the space into boxes until each is ruled out by a bound or a single point, which is evaluated.
class BoxSearch {
 public:
  struct Order {
    bool best_first = false;  // else depth first, in the order of the space
    bool refine = false;      // bounds by formula are sharpened, piece by piece, before a box is divided
    double tolerance = 0;     // a box is ruled out unless it may be better by more than this share
  };
  BoxSearch(Search& search, Order order)
      : search_(search), order_(order), open_(Before{order.best_first ? Rank::best : Rank::in_order}) {}

  void run();

 private:
  struct Open {
    Box box;
    std::vector<double> best;  // goals that no point of the box can better
    Effort effort = 0;
    bool refinable = false;
  };
  enum class Rank { in_order, best, largest };
  struct Before {
    Rank rank;
    bool operator()(const Open& a, const Open& b) const;
  };
  // What became of an open box.
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
