// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "explore/search.h"

namespace fansim::explore {

// A point one step in one parameter away from a member of a front, that is not feasible.
struct Neighbour {
  std::size_t member = 0;     // of the front; the first one that it lies beside
  std::size_t parameter = 0;  // the step's
  Scored scored;
  std::vector<std::string> reasons;  // the constraints that it breaks, or why it cannot be
};

struct Neighbours {
  std::vector<Neighbour> excluded;
  std::size_t unknown = 0;  // that were not looked at: more than so many, or stopped
};

// What the search did not come by is evaluated, `most` points at most.
Neighbours infeasible_neighbours(const Space& space, const Model& model, const std::vector<Scored>& front,
                                 const SearchOptions& options, std::size_t most = 512);

}  // namespace fansim::explore
