// SPDX-License-Identifier: Apache-2.0
#include "explore/scorer.h"

#include <unistd.h>

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "explore/outcome_text.h"

namespace fansim::explore {
namespace {

// Processes that share a store begin at different places of a batch, and find the rest done by the others.
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
  std::sort(fresh.begin(), fresh.end());
  fresh.erase(std::unique(fresh.begin(), fresh.end()), fresh.end());

  std::vector<Outcome> outcomes(fresh.size());
  std::vector<char> stored(fresh.size());
  const std::size_t first = fresh.empty() || !options_.store ? 0 : first_of(fresh.size());
  workers_.each(fresh.size(), [&](std::size_t i) {
    const std::size_t at = (first + i) % fresh.size();
    bool from_store = false;
    outcomes[at] = outcome(fresh[at], from_store);
    stored[at] = from_store ? 1 : 0;
  });
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    from_store_ += stored[i];
    front_.add(all_.emplace(fresh[i], scored(space_, fresh[i], std::move(outcomes[i]))).first->second);
  }
  std::vector<const Scored*> result;
  for (const Point& point : points) result.push_back(&all_.at(point));
  return result;
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
  counts.evaluated = static_cast<std::int64_t>(all_.size());
  counts.from_store = from_store_;
  for (const auto& [point, scored] : all_) {
    switch (scored.outcome.kind) {
      case Outcome::Kind::scored:
        ++(scored.feasible() ? counts.feasible : counts.infeasible);
        break;
      case Outcome::Kind::misfit:
        ++counts.misfit;
        break;
      case Outcome::Kind::failed:
        ++counts.failed;
        break;
    }
  }
}

std::vector<Scored> Scorer::failures() const {
  std::vector<Scored> failures;
  for (const auto& [point, scored] : all_)
    if (scored.outcome.kind == Outcome::Kind::failed) failures.push_back(scored);
  return failures;
}

}  // namespace fansim::explore
