// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "explore/search.h"

namespace fansim::explore {

// Describes an infeasible point that differs from a member of the front by one step in one parameter.
struct Neighbour {
  std::size_t member = 0;     // index of the first member of the front that it lies beside
  std::size_t parameter = 0;  // the parameter that differs
  Scored scored;
  std::vector<std::string> reasons;  // the constraints that it breaks, or why it cannot be built
};

struct Neighbours {
  std::vector<Neighbour> excluded;
  std::size_t unknown = 0;  // neighbours that were not evaluated: there were more than `most`, or the search was
                            // stopped
};

// Evaluates the neighbours that the search has not evaluated, but at most `most` points.
Neighbours infeasible_neighbours(const Space& space, const Model& model, const std::vector<Scored>& front,
                                 const SearchOptions& options, std::size_t most = 512);

}  // namespace fansim::explore
