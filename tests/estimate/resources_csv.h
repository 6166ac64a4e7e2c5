// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "base/file.h"
#include "estimate/twins.h"

namespace fansim::test {

// One row of tests/rtl/resources.csv.
struct Synthesised {
  std::string twin, parameters;
  bool fit = false;  // else held out
  double lut = 0, ff = 0, srl = 0, bram36 = 0, dsp = 0;

  estimate::Parameters values() const {
    estimate::Parameters result;
    std::istringstream items(parameters);
    for (std::string item; items >> item;) {
      const std::size_t equals = item.find('=');
      result[item.substr(0, equals)] = std::stoi(item.substr(equals + 1));
    }
    return result;
  }
};

// Another one for scripts/synthesise.py --hold-out.
inline std::string resources_file() {
  const char* other = std::getenv("FANSIM_RESOURCES");
  return other ? other : std::string(FANSIM_SOURCE_DIR) + "/tests/rtl/resources.csv";
}

inline std::vector<Synthesised> synthesised() {
  std::istringstream lines(base::read_file(resources_file()));
  std::vector<Synthesised> rows;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind('#', 0) == 0 || line.rfind("twin,", 0) == 0) continue;
    std::vector<std::string> cells;
    std::istringstream text(line);
    for (std::string cell; std::getline(text, cell, ',');) cells.push_back(cell);
    const auto number = [&](std::size_t column) { return std::stod(cells.at(column)); };
    rows.push_back(
        {cells.at(0), cells.at(1), cells.at(2) == "fit", number(3), number(4), number(5), number(6), number(7)});
  }
  return rows;
}

}  // namespace fansim::test
