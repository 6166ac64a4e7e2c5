// SPDX-License-Identifier: Apache-2.0
#include "explore/neighbours.h"

#include <algorithm>
#include <map>

#include "base/workers.h"
#include "explore/scorer.h"

namespace fansim::explore {
namespace {

struct Step {
  std::size_t member, parameter;
};

// Lists the points one step beside the front, in the order of the front. It takes the previous and the next value, in
// the order of the space.
std::vector<std::pair<Point, Step>> steps_from(const Space& space, const std::vector<Scored>& front) {
  std::map<Point, bool> known;
  for (const Scored& member : front) known[member.point] = true;
  std::vector<std::pair<Point, Step>> steps;
  for (std::size_t m = 0; m < front.size(); ++m)
    for (std::size_t p = 0; p < space.parameters.size(); ++p)
      for (const int by : {-1, 1}) {
        Point point = front[m].point;
        point[p] += by;
        if (point[p] < 0 || point[p] >= space.parameters[p].size() || !known.emplace(point, true).second) continue;
        steps.emplace_back(std::move(point), Step{m, p});
      }
  return steps;
}

std::vector<std::string> reasons_of(const Space& space, const Scored& scored) {
  if (scored.outcome.kind != Outcome::Kind::scored) return {scored.outcome.reason};
  std::vector<std::string> reasons;
  const std::vector<double> slots = space.slots(scored.point, scored.outcome.metrics);
  for (const Constraint& constraint : space.constraints)
    for (std::string& reason : constraint.expression.broken(slots, space.names())) reasons.push_back(std::move(reason));
  return reasons;
}

}  // namespace

Neighbours infeasible_neighbours(const Space& space, const Model& model, const std::vector<Scored>& front,
                                 const SearchOptions& options, std::size_t most) {
  const std::vector<std::pair<Point, Step>> steps = steps_from(space, front);
  const std::size_t count = std::min(most, steps.size());
  Neighbours result;
  result.unknown = steps.size() - count;
  std::vector<Point> points;
  for (std::size_t i = 0; i < count; ++i) points.push_back(steps[i].first);
  const base::Workers workers(options.jobs);
  Scorer scorer(space, model, workers, options);
  try {
    const std::vector<const Scored*> scored = scorer.score(points);
    for (std::size_t i = 0; i < count; ++i)
      if (!scored[i]->feasible())
        result.excluded.push_back(
            {steps[i].second.member, steps[i].second.parameter, *scored[i], reasons_of(space, *scored[i])});
  } catch (const Stopped&) {
    result.unknown = steps.size();
  }
  return result;
}

}  // namespace fansim::explore
