// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace fansim::report {

// Points over two axes, each with words that a reader sees on pointing at it.
struct ScatterChart {
  struct Point {
    double x = 0, y = 0;
    std::string words;
  };
  std::string title;
  std::string x_label;
  std::string y_label;
  std::vector<Point> points;
};

std::string svg(const ScatterChart& chart);

}  // namespace fansim::report
