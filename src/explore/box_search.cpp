// SPDX-License-Identifier: Apache-2.0
#include "explore/box_search.h"

#include <algorithm>
#include <cmath>

namespace fansim::explore {

bool BoxSearch::Before::operator()(const Open& a, const Open& b) const {
  if (rank == Rank::best && a.best != b.best) return a.best < b.best;
  if (rank == Rank::largest && a.box.points() != b.box.points()) return a.box.points() > b.box.points();
  const Point first_of_a = a.box.first(), first_of_b = b.box.first();
  return first_of_a < first_of_b;  // boxes are disjoint, so first points differ
}

void BoxSearch::begin() {
  const std::vector<double> anything(search_.space.objectives.size(), -Interval::kInfinity);
  const Box whole = search_.space.whole();
  if (const auto open = bounded(whole, anything, 0)) {
    open_.insert(*open);
  } else {
    search_.counts.cannot_meet += whole.points();
  }
  if (search_.options.share.of > 1) take_share();
  decided_ = search_.counts.cannot_meet;
}

// Takes this task's share of the space. Every task divides the space in the same way, by formula alone. A best-first
// search divides the most promising box first, any other search the largest. The boxes are dealt out in that order, so
// that each task gets some of the good ones. The first task counts the points that meet no constraint.
void BoxSearch::take_share() {
  constexpr std::size_t kBoxesOfEach = 8;
  const auto [index, of] = search_.options.share;
  const std::size_t wanted = kBoxesOfEach * static_cast<std::size_t>(of);
  std::set<Open, Before> boxes(open_.begin(), open_.end(), Before{order_.best_first ? Rank::best : Rank::largest});
  std::vector<Open> whole;
  while (!boxes.empty() && boxes.size() + whole.size() < wanted) {
    Open open = std::move(boxes.extract(boxes.begin()).value());
    if (open.box.is_point()) {
      whole.push_back(std::move(open));
      continue;
    }
    Step parts = step(open);
    search_.counts.cannot_meet += parts.cannot_meet;
    for (Open& part : parts.boxes) boxes.insert(std::move(part));
  }
  for (Open& open : whole) boxes.insert(std::move(open));
  if (index > 0) search_.counts.cannot_meet = 0;
  open_.clear();
  search_.counts.space = search_.counts.cannot_meet;
  int rank = 0;
  for (const Open& open : boxes) {
    if (rank++ % of != index) continue;
    search_.counts.space += open.box.points();
    open_.insert(open);
  }
}

void BoxSearch::run() {
  begin();
  while (!open_.empty()) {
    const std::vector<Open> batch = take_batch();
    std::vector<Step> steps(batch.size());
    search_.workers.each(batch.size(), [&](std::size_t i) { steps[i] = step(batch[i]); });
    std::vector<Point> points;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      search_.counts.cannot_meet += steps[i].cannot_meet;
      decided_ += steps[i].cannot_meet;
      if (steps[i].evaluate) points.push_back(batch[i].box.first());
      for (Open& open : steps[i].boxes) open_.insert(std::move(open));
    }
    decided_ += static_cast<double>(points.size());
    search_.scorer.pass(std::move(points));
    search_.progress(decided_ / search_.counts.space);
  }
}

std::vector<BoxSearch::Open> BoxSearch::take_batch() {
  std::vector<Open> batch;
  while (!open_.empty() && batch.size() < Search::kBatch) {
    Open open = std::move(open_.extract(open_.begin()).value());
    if (ruled_out(open)) {
      search_.counts.cannot_win += open.box.points();
      decided_ += open.box.points();
    } else {
      batch.push_back(std::move(open));
    }
  }
  return batch;
}

bool BoxSearch::ruled_out(const Open& open) const {
  std::vector<double> best = open.best;
  if (order_.tolerance > 0)
    for (double& goal : best) goal += order_.tolerance * std::abs(goal);
  const Peers* peers = search_.options.peers;
  return search_.scorer.front().rules_out(best) || (peers && peers->rules_out(best));
}

BoxSearch::Step BoxSearch::step(const Open& open) const {
  Step step;
  const auto keep = [&](const Box& box, Effort effort) {
    if (auto kept = bounded(box, open.best, effort)) {
      step.boxes.push_back(std::move(*kept));
    } else {
      step.cannot_meet += box.points();
    }
  };
  const auto side =
      std::find_if(open.box.sides.begin(), open.box.sides.end(), [](const Box::Side& s) { return s.size() > 1; });
  if (side == open.box.sides.end()) {
    step.evaluate = !(order_.refine && open.refinable);
    if (!step.evaluate) keep(open.box, open.effort + 1);
    return step;
  }
  const auto divided = static_cast<std::size_t>(side - open.box.sides.begin());
  const int middle = side->first + (side->size() - 1) / 2;
  Box lower = open.box, upper = open.box;
  lower.sides[divided].last = middle;
  upper.sides[divided].first = middle + 1;
  keep(lower, open.effort);
  keep(upper, open.effort);
  return step;
}

// Returns nothing if no point of the box meets the constraints.
std::optional<BoxSearch::Open> BoxSearch::bounded(const Box& box, const std::vector<double>& best,
                                                  Effort effort) const {
  const Bounds bounds = bounds_of(box, effort);
  if (!bounds.possible) return std::nullopt;
  const std::vector<Interval> slots = search_.space.slots(box, bounds.metrics);
  for (const Constraint& constraint : search_.space.constraints) {
    const Interval truth = constraint.expression.range(slots);
    if (truth.low == 0 && truth.high == 0) return std::nullopt;
  }
  Open open{box, best_goals(bounds.metrics), effort, bounds.refinable};
  // The bounds of the enclosing box hold here too.
  for (std::size_t i = 0; i < best.size(); ++i) open.best[i] = std::max(open.best[i], best[i]);
  return open;
}

// An evaluation that fails gives no bounds. The search then divides the box down to the single points that fail.
Bounds BoxSearch::bounds_of(const Box& box, Effort effort) const {
  const Guard* guard = search_.options.guard;
  try {
    const Guard::Task task(guard, guard ? "bounds of " + search_.space.text(box) : "");
    return search_.model.bounds(box, effort);
  } catch (const Stopped&) {
    throw;
  } catch (const std::exception&) {
    return {};
  }
}

std::vector<double> BoxSearch::best_goals(const MetricRanges& ranges) const {
  std::vector<double> best;
  for (const Objective& objective : search_.space.objectives) {
    const Interval& range = of(ranges, objective.metric);
    best.push_back(objective.maximise ? -range.high : range.low);
  }
  return best;
}

void exhaustive(Search& search) { BoxSearch(search, {false, false, 0}).run(); }

void branch_and_bound(Search& search) {
  BoxSearch(search, {true, true, search.space.search.tolerance_percent / 100}).run();
}

}  // namespace fansim::explore
