// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "explore/front.h"
#include "explore/guard.h"
#include "explore/model.h"
#include "explore/peers.h"
#include "explore/space.h"
#include "explore/store.h"

namespace fansim::explore {

// Names part `index` of the `of` parts of a space. Every task divides the space in the same way.
struct Share {
  int index = 0, of = 1;
};

struct SearchOptions {
  int jobs = 1;
  Share share;
  std::uint64_t seed = 1;
  Store* store = nullptr;        // none: no results are kept
  const Guard* guard = nullptr;  // none: a crash ends the program
  Peers* peers = nullptr;        // none: no other task searches
  std::function<void(double fraction)> on_progress;
  std::function<bool()> stop_requested;
};

// Says what became of the points of a space, or of a share. After a complete proof, cannot_meet, cannot_win and
// evaluated add up to `space`.
struct Counts {
  double raw = 0;              // points before least_waste_of
  double space = 0;            // points after least_waste_of
  double cannot_meet = 0;      // ruled out because a bound breaks a constraint
  double cannot_win = 0;       // ruled out because a point of the front is better than their bound
  std::int64_t evaluated = 0;  // simulated and estimated, or read from the store
  std::int64_t from_store = 0;
  std::int64_t feasible = 0, infeasible = 0, misfit = 0, failed = 0;  // add up to `evaluated`
};

struct SearchResult {
  std::vector<Scored> front;
  std::vector<Scored> failures;
  Counts counts;
  std::vector<Constraint> unmet;  // hold for no point of the space, by its bounds alone; nothing was evaluated then
  bool proven = false;            // no point outside the front is better, up to the tolerance
  bool stopped = false;           // by stop_requested; the front holds what was found until then
};

// Throws UserError if the space's method cannot be divided into that many shares.
void check_shares(const Space& space, const Share& share);

// Returns the constraints that hold for no point of the space, as far as its bounds can say.
std::vector<Constraint> unmet_constraints(const Space& space, const Model& model);

// Searches a space. Throws UserError as check_shares() does.
SearchResult search(const Space& space, const Model& model, const SearchOptions& options);

}  // namespace fansim::explore
