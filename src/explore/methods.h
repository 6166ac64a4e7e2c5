// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/workers.h"
#include "explore/scorer.h"
#include "explore/search.h"

namespace fansim::explore {

// Holds what a search method works with.
struct Search {
  const Space& space;
  const Model& model;
  const base::Workers& workers;
  const SearchOptions& options;
  Scorer& scorer;
  Counts& counts;

  // This many boxes are examined at a time. The number does not depend on the number of jobs, so neither does the
  // result.
  static constexpr std::size_t kBatch = 64;
  void progress(double fraction) const {
    if (options.stop_requested && options.stop_requested()) throw Stopped();
    if (options.on_progress) options.on_progress(fraction);
    if (options.peers) options.peers->exchange(scorer.front(), counts, fraction);
  }
};

// Searches depth first, in the order of the space. It evaluates every point except those that a bound by formula rules
// out.
void exhaustive(Search& search);
// Takes the box with the best bound first, and simulates pieces of it to sharpen its bounds before it divides it.
void branch_and_bound(Search& search);
// Implements Deb, Pratap, Agarwal, Meyarivan: A fast and elitist multiobjective genetic algorithm: NSGA-II (2002).
void nsga2(Search& search);
// Implements Kirkpatrick, Gelatt, Vecchi: Optimization by simulated annealing (1983), with several walks that each have
// their own weights of the objectives.
void annealing(Search& search);

}  // namespace fansim::explore
