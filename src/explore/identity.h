// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace fansim::explore {

// Lists everything that results depend on, as pairs of a name for messages and a value. The first pair is the build of
// the program.
using Identity = std::vector<std::pair<std::string, std::string>>;
constexpr const char* kBuild = "build";

// Returns the first difference between two identities, in words that follow "is of"; empty: they are equal.
std::string difference(const Identity& theirs, const Identity& ours);

}  // namespace fansim::explore
