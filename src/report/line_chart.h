// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace fansim::report {

// Holds lines over common places on the x axis, which are drawn at equal distances.
struct LineChart {
  struct Line {
    std::string name;
    std::vector<double> values;
  };
  std::string title;
  std::string x_label;
  std::string y_label;
  std::vector<std::string> places;
  std::vector<Line> lines;
};

}  // namespace fansim::report
