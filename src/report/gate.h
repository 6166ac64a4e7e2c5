// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "report/comparison.h"

namespace fansim::report {

// Says by how much a figure may be worse than in the first report.
struct Gate {
  std::string figure;  // a figure of the total, a resource, or kLayerCycles
  double limit = 0;
  bool percent = false;

  static constexpr const char* kLayerCycles = "layer_cycles";  // the cycles of every layer
};

// Parses FIGURE=LIMIT, FIGURE=LIMIT%, and LIMIT% for the cycles. Throws UserError.
Gate parse_gate(const std::string& text);

// Holds a figure of a report that a gate was asked about.
struct Gated {
  std::string file, figure;
  double first = 0, value = 0;
  Gate gate;
  bool failed = false;
};

// Sets every report after the first one against the first. A figure of which more is better, such as gops, fails if it
// falls. Throws UserError if a report lacks a figure, or is of another network.
std::vector<Gated> judge(const std::vector<ReadReport>& reports, const std::vector<Gate>& gates);

// Names each figure that failed, in a line: "b.json: cycles 106,000 for 100,000, +6 %; allowed: +5 %".
std::string text(const std::vector<Gated>& all);
nlohmann::ordered_json json(const std::vector<Gated>& all);

}  // namespace fansim::report
