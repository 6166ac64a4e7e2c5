// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace fansim::explore {

// What results depend on: what it is called in a message, and its value. Its first is the build of the program.
using Identity = std::vector<std::pair<std::string, std::string>>;
constexpr const char* kBuild = "build";

// In which their results are others than ours, in words that follow "is of"; empty: in nothing.
std::string difference(const Identity& theirs, const Identity& ours);

}  // namespace fansim::explore
