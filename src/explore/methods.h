// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/work/workers.h"
#include "explore/scorer.h"
#include "explore/search.h"

namespace fansim::explore {

// What a method works with.
struct Search {
  const Space& space;
  const Model& model;
  const base::Workers& workers;
  const SearchOptions& options;
  Scorer& scorer;
  Counts& counts;

  // Work that does not depend on the number of jobs: so many pieces are taken at a time.
  static constexpr std::size_t kBatch = 64;
  void progress(double fraction) const {
    if (options.stop_requested && options.stop_requested()) throw Stopped();
    if (options.on_progress) options.on_progress(fraction);
    if (options.peers) options.peers->exchange(scorer.front(), counts, fraction);
  }
};

// Depth first, in the order of the space: every point but those that a bound by formula rules out.
void exhaustive(Search& search);
// The box with the best bound first, its bounds simulated before it is divided.
void branch_and_bound(Search& search);
// Deb, Pratap, Agarwal, Meyarivan: A fast and elitist multiobjective genetic algorithm: NSGA-II (2002).
void nsga2(Search& search);
// Kirkpatrick, Gelatt, Vecchi: Optimization by simulated annealing (1983); several walks, each with its own weights of
// the objectives.
void annealing(Search& search);

}  // namespace fansim::explore
