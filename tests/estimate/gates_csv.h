// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cctype>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "base/file.h"

namespace fansim::test {

// One row of tests/rtl/gates.csv: "E=8 M=7" as values, cells by kind and figures by the head's words.
struct GatesRow {
  std::string twin;
  std::map<std::string, int> parameters;
  std::map<std::string, double> figures;
};

inline std::vector<GatesRow> gates_rows() {
  std::istringstream lines(base::read_file(std::string(FANSIM_SOURCE_DIR) + "/tests/rtl/gates.csv"));
  std::vector<std::string> head;
  std::vector<GatesRow> rows;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind('#', 0) == 0) continue;
    std::vector<std::string> cells;
    std::istringstream text(line);
    for (std::string cell; std::getline(text, cell, ',');) cells.push_back(cell);
    if (head.empty()) {
      head = cells;
      continue;
    }
    GatesRow row{cells.at(0), {}, {}};
    std::istringstream items(cells.at(1));
    for (std::string item; items >> item;)
      row.parameters[item.substr(0, item.find('='))] = std::stoi(item.substr(item.find('=') + 1));
    for (std::size_t i = 2; i + 1 < cells.size(); ++i) row.figures[head.at(i)] = std::stod(cells[i]);
    rows.push_back(row);
  }
  return rows;
}

}  // namespace fansim::test
