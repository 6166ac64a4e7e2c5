// SPDX-License-Identifier: Apache-2.0
#include "explore/front.h"

#include <algorithm>
#include <tuple>

namespace fansim::explore {

bool dominates(const std::vector<double>& a, const std::vector<double>& b) {
  bool better = false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] > b[i]) return false;
    better = better || a[i] < b[i];
  }
  return better;
}

void Front::add(const Scored& scored) {
  if (!scored.feasible() || rules_out(scored.goals)) return;
  const auto beaten = [&](const Scored& member) {
    return dominates(scored.goals, member.goals) || (member.goals == scored.goals && scored.point < member.point);
  };
  members_.erase(std::remove_if(members_.begin(), members_.end(), beaten), members_.end());
  const auto before = [](const Scored& a, const Scored& b) { return a.goals < b.goals; };
  const auto place = std::lower_bound(members_.begin(), members_.end(), scored, before);
  if (place == members_.end() || place->goals != scored.goals) members_.insert(place, scored);
}

bool Front::rules_out(const std::vector<double>& best) const {
  return std::any_of(members_.begin(), members_.end(), [&](const Scored& m) { return dominates(m.goals, best); });
}

}  // namespace fansim::explore
