// SPDX-License-Identifier: Apache-2.0
#include "explore/scorer.h"

#include <unistd.h>

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "explore/outcome_text.h"

namespace fansim::explore {
namespace {

// Processes that share a store begin at different places of a batch, so that each finds the other points already done.
std::size_t first_of(std::size_t count) {
  constexpr std::size_t kStride = 7919;
  return static_cast<std::size_t>(::getpid()) * kStride % count;
}

}  // namespace

Scored scored(const Space& space, const Point& point, Outcome outcome) {
  Scored result{point, std::move(outcome), {}, 0};
  for (const Objective& objective : space.objectives) {
    const double value = of(result.outcome.metrics, objective.metric);
    result.goals.push_back(objective.maximise ? -value : value);
  }
  if (result.outcome.kind != Outcome::Kind::scored) {
    result.violation = std::numeric_limits<double>::infinity();
    return result;
  }
  const std::vector<double> slots = space.slots(point, result.outcome.metrics);
  for (const Constraint& constraint : space.constraints) result.violation += constraint.expression.violation(slots);
  return result;
}

std::vector<const Scored*> Scorer::score(const std::vector<Point>& points) {
  std::vector<Point> fresh;
  for (const Point& point : points)
    if (all_.count(point) == 0) fresh.push_back(point);
  for (Scored& one : evaluated(fresh)) all_.emplace(one.point, std::move(one));
  std::vector<const Scored*> result;
  for (const Point& point : points) result.push_back(&all_.at(point));
  return result;
}

void Scorer::pass(std::vector<Point> points) { evaluated(points); }

// Evaluates each point once and returns the results in the order of the sorted points.
std::vector<Scored> Scorer::evaluated(std::vector<Point>& points) {
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  std::vector<Outcome> outcomes(points.size());
  std::vector<char> stored(points.size());
  const std::size_t first = points.empty() || !options_.store ? 0 : first_of(points.size());
  workers_.each(points.size(), [&](std::size_t i) {
    const std::size_t at = (first + i) % points.size();
    bool from_store = false;
    outcomes[at] = outcome(points[at], from_store);
    stored[at] = from_store ? 1 : 0;
  });
  std::vector<Scored> all;
  for (std::size_t i = 0; i < points.size(); ++i) {
    counts_.from_store += stored[i];
    all.push_back(scored(space_, points[i], std::move(outcomes[i])));
    note(all.back());
  }
  return all;
}

void Scorer::note(const Scored& scored) {
  front_.add(scored);
  ++counts_.evaluated;
  switch (scored.outcome.kind) {
    case Outcome::Kind::scored:
      ++(scored.feasible() ? counts_.feasible : counts_.infeasible);
      break;
    case Outcome::Kind::misfit:
      ++counts_.misfit;
      break;
    case Outcome::Kind::failed:
      ++counts_.failed;
      failures_.push_back(scored);
      break;
  }
}

Outcome Scorer::outcome(const Point& point, bool& from_store) const {
  if (options_.stop_requested && options_.stop_requested()) throw Stopped();
  if (!options_.store) return evaluate(point);
  const std::string key = space_.text(point);
  if (const auto text = options_.store->find(Store::Table::points, key)) {
    const std::optional<Outcome> known = outcome_of(*text);
    if (!known) throw base::UserError("--resume: the store's row of '" + key + "' is damaged: '" + *text + "'");
    from_store = true;
    return *known;
  }
  Outcome outcome = evaluate(point);
  options_.store->put(Store::Table::points, key, to_text(outcome));
  return outcome;
}

Outcome Scorer::evaluate(const Point& point) const {
  try {
    const Guard::Task task(options_.guard, options_.guard ? "point " + space_.text(point) : "");
    return model_.evaluate(point);
  } catch (const Stopped&) {
    throw;
  } catch (const std::exception& error) {
    return Outcome::failed(error.what());
  }
}

void Scorer::add_counts(Counts& counts) const {
  counts.evaluated = counts_.evaluated;
  counts.from_store = counts_.from_store;
  counts.feasible = counts_.feasible;
  counts.infeasible = counts_.infeasible;
  counts.misfit = counts_.misfit;
  counts.failed = counts_.failed;
}

}  // namespace fansim::explore
