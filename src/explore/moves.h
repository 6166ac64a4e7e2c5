// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "explore/space.h"

namespace fansim::explore {

// Draws random points and random steps of a space.
class Moves {
 public:
  explicit Moves(const Space& space) {
    for (const Parameter& parameter : space.parameters) sizes_.push_back(parameter.size());
  }

  // Draws uniformly from [0, 1).
  static double fraction(base::Random& random) { return std::ldexp(static_cast<double>(random.next() >> 11), -53); }

  Point anywhere(base::Random& random) const {
    Point point;
    for (const int size : sizes_) point.push_back(random.uniform(0, size - 1));
    return point;
  }
  // Changes each parameter with a probability of one in the number of parameters, and at least one parameter.
  Point mutated(Point point, base::Random& random) const {
    const auto parameters = static_cast<int>(sizes_.size());
    const int sure = random.uniform(0, parameters - 1);
    for (int i = 0; i < parameters; ++i)
      if (i == sure || random.uniform(0, parameters - 1) == 0) move(point, static_cast<std::size_t>(i), random);
    return point;
  }
  // Changes one parameter.
  Point neighbour(Point point, base::Random& random) const {
    move(point, static_cast<std::size_t>(random.uniform(0, static_cast<int>(sizes_.size()) - 1)), random);
    return point;
  }

 private:
  // Moves the parameter to any other value or, just as likely, by a few values up or down.
  void move(Point& point, std::size_t i, base::Random& random) const {
    const int size = sizes_[i];
    if (size == 1) return;
    if (random.chance(50)) {
      const int other = random.uniform(0, size - 2);
      point[i] = other < point[i] ? other : other + 1;
      return;
    }
    const int reach = std::max(1, size / 16), step = random.uniform(1, reach);
    const int target = point[i] + (random.chance(50) ? step : -step);
    point[i] = target < 0 || target >= size ? std::clamp(2 * point[i] - target, 0, size - 1) : target;
  }

  std::vector<int> sizes_;
};

}  // namespace fansim::explore
