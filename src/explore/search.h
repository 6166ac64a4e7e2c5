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

// One of so many parts of a space. Every task divides the space in the same way.
struct Share {
  int index = 0, of = 1;
};

struct SearchOptions {
  int jobs = 1;
  Share share;
  std::uint64_t seed = 1;
  Store* store = nullptr;        // none: nothing is kept
  const Guard* guard = nullptr;  // none: nobody watches
  Peers* peers = nullptr;        // none: nobody else searches
  std::function<void(double fraction)> on_progress;
  std::function<bool()> stop_requested;
};

// How the points of a space, or of a share, were dealt with. Their sum is the space's count once a proof is complete.
struct Counts {
  double raw = 0;              // before least_waste_of
  double space = 0;            // after
  double cannot_meet = 0;      // ruled out: a bound breaks a constraint
  double cannot_win = 0;       // ruled out: a point of the front is better than their bound
  std::int64_t evaluated = 0;  // simulated and estimated, or taken from the store
  std::int64_t from_store = 0;
  std::int64_t feasible = 0, infeasible = 0, misfit = 0, failed = 0;  // of those evaluated
};

struct SearchResult {
  std::vector<Scored> front;
  std::vector<Scored> failures;
  Counts counts;
  bool proven = false;   // no point outside the front is better
  bool stopped = false;  // stop_requested; the front is that of what was seen
};

// Searches a space. UserError if its constraints contradict each other for every point, or if its method has no shares.
SearchResult search(const Space& space, const Model& model, const SearchOptions& options);

}  // namespace fansim::explore
