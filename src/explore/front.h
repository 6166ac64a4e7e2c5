// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "explore/model.h"

namespace fansim::explore {

// A point and what it is worth.
struct Scored {
  Point point;
  Outcome outcome;
  std::vector<double> goals;  // one per objective, the less the better
  double violation = 0;       // of the constraints; 0: feasible

  bool feasible() const { return outcome.kind == Outcome::Kind::scored && violation == 0; }
};

// No worse in any goal, better in one.
bool dominates(const std::vector<double>& a, const std::vector<double>& b);

// The feasible points that no other dominates, of those with the same goals the first in the order of the space. What
// it holds in the end does not depend on the order of add().
class Front {
 public:
  void add(const Scored& scored);
  // Whether a member dominates everything that has these goals at best.
  bool rules_out(const std::vector<double>& best) const;
  // By goals, the first one first.
  const std::vector<Scored>& members() const { return members_; }

 private:
  std::vector<Scored> members_;
};

}  // namespace fansim::explore
