// SPDX-License-Identifier: Apache-2.0
#include "explore/search.h"

#include <algorithm>

#include "explore/methods.h"

namespace fansim::explore {
namespace {

void run(Search& search) {
  switch (search.space.search.method) {
    case Method::branch_and_bound:
      return branch_and_bound(search);
    case Method::exhaustive:
      return exhaustive(search);
    case Method::nsga2:
      return nsga2(search);
    case Method::annealing:
      return annealing(search);
  }
}

}  // namespace

void check_shares(const Space& space, const Share& share) {
  if (share.of > 1 && space.search.method == Method::nsga2)
    throw base::UserError("explore: nsga2 has no shares: each generation is made of all of the one before");
}

std::vector<Constraint> unmet_constraints(const Space& space, const Model& model) {
  const std::vector<Interval> slots = space.slots(space.whole(), model.bounds(space.whole(), 0).metrics);
  std::vector<Constraint> unmet;
  for (const Constraint& constraint : space.constraints) {
    const Interval truth = constraint.expression.range(slots);
    if (truth.low == 0 && truth.high == 0) unmet.push_back(constraint);
  }
  return unmet;
}

SearchResult search(const Space& space, const Model& model, const SearchOptions& options) {
  check_shares(space, options.share);
  const base::Workers workers(options.jobs);
  Scorer scorer(space, model, workers, options);
  SearchResult result;
  result.counts.raw = space.raw_count();
  result.counts.space = space.count();
  result.unmet = unmet_constraints(space, model);
  if (!result.unmet.empty()) {
    if (options.share.index == 0) result.counts.cannot_meet = result.counts.space;
    result.proven = true;
    return result;
  }
  Search work{space, model, workers, options, scorer, result.counts};
  try {
    run(work);
    const Method method = space.search.method;
    result.proven = method == Method::branch_and_bound || method == Method::exhaustive;
  } catch (const Stopped&) {
    result.stopped = true;
  }
  if (options.store) options.store->flush();
  scorer.add_counts(result.counts);
  result.front = scorer.front().members();
  result.failures = scorer.failures();
  std::sort(result.failures.begin(), result.failures.end(),
            [](const Scored& a, const Scored& b) { return a.point < b.point; });
  result.proven = result.proven && result.failures.empty();
  return result;
}

}  // namespace fansim::explore
