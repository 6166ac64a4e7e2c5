// SPDX-License-Identifier: Apache-2.0
#include "synthetic.h"

namespace fansim::test {

using namespace explore;

std::vector<Point> front_by_force(const Space& space, const Model& model) {
  struct Candidate {
    Point point;
    std::vector<double> goals;
  };
  std::vector<Candidate> feasible;
  for (const Point& point : every_point(space)) {
    const Outcome outcome = model.evaluate(point);
    if (outcome.kind != Outcome::Kind::scored) continue;
    bool holds = true;
    for (const Constraint& constraint : space.constraints)
      holds = holds && constraint.expression.value(space.slots(point, outcome.metrics)) != 0;
    if (!holds) continue;
    Candidate candidate{point, {}};
    for (const Objective& objective : space.objectives)
      candidate.goals.push_back((objective.maximise ? -1 : 1) * of(outcome.metrics, objective.metric));
    feasible.push_back(candidate);
  }
  std::vector<Point> front;
  for (const Candidate& one : feasible) {
    bool stays = true;
    for (const Candidate& other : feasible) {
      bool no_worse = true, better = false;
      for (std::size_t i = 0; i < one.goals.size(); ++i) {
        no_worse = no_worse && other.goals[i] <= one.goals[i];
        better = better || other.goals[i] < one.goals[i];
      }
      stays = stays && !(no_worse && (better || other.point < one.point));
    }
    if (stays) front.push_back(one.point);
  }
  return front;
}

}  // namespace fansim::test
