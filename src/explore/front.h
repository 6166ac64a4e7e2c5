// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "explore/model.h"

namespace fansim::explore {

// Holds a point with its outcome, goals and constraint violation.
struct Scored {
  Point point;
  Outcome outcome;
  std::vector<double> goals;  // one per objective; less is better
  double violation = 0;       // sum over the constraints; 0: feasible

  bool feasible() const { return outcome.kind == Outcome::Kind::scored && violation == 0; }
};

// Returns whether `a` is no worse than `b` in any goal and better in at least one.
bool dominates(const std::vector<double>& a, const std::vector<double>& b);

// Holds the feasible points that no other point dominates (the Pareto front). Among points with equal goals it keeps
// the first in the order of the space. The final content does not depend on the order of the calls of add().
class Front {
 public:
  void add(const Scored& scored);
  // Returns whether a member dominates every point whose goals are no better than `best`.
  bool rules_out(const std::vector<double>& best) const;
  // The members are sorted by their goals, the first goal first.
  const std::vector<Scored>& members() const { return members_; }

 private:
  std::vector<Scored> members_;
};

}  // namespace fansim::explore
