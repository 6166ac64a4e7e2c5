// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace fansim::explore {

// Names one configuration of a space by the index of each parameter's value.
using Point = std::vector<int>;

// Holds all points whose indices lie in these ranges, both ends included.
struct Box {
  struct Side {
    int first = 0;
    int last = 0;
    int size() const { return last - first + 1; }
  };
  std::vector<Side> sides;

  double points() const {
    double count = 1;
    for (const Side& side : sides) count *= side.size();
    return count;
  }
  bool is_point() const {
    for (const Side& side : sides)
      if (side.size() > 1) return false;
    return true;
  }
  // Returns the point of all first values, or of all last values.
  Point first() const {
    Point point;
    for (const Side& side : sides) point.push_back(side.first);
    return point;
  }
  Point last() const {
    Point point;
    for (const Side& side : sides) point.push_back(side.last);
    return point;
  }
  bool contains(const Point& point) const {
    for (std::size_t i = 0; i < sides.size(); ++i)
      if (point[i] < sides[i].first || point[i] > sides[i].last) return false;
    return true;
  }
};

inline Box box_of(const Point& point) {
  Box box;
  for (const int index : point) box.sides.push_back({index, index});
  return box;
}

}  // namespace fansim::explore
