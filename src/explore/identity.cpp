// SPDX-License-Identifier: Apache-2.0
#include "explore/identity.h"

#include <fmt/format.h>

#include <algorithm>

namespace fansim::explore {

std::string difference(const Identity& theirs, const Identity& ours) {
  for (const auto& [name, value] : ours) {
    const auto same = [&name = name](const auto& other) { return other.first == name; };
    const auto found = std::find_if(theirs.begin(), theirs.end(), same);
    const std::string their = found == theirs.end() ? "" : found->second;
    if (their == value) continue;
    return fmt::format("another {}: '{}', not '{}'; {}", name, their, value,
                       name == kBuild ? "results of two builds are not mixed: name another place for this one's, or "
                                        "use the build whose `fansim --version` says that"
                                      : "name another place for these results");
  }
  return "";
}

}  // namespace fansim::explore
