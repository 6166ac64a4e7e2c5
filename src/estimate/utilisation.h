// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "contract/resources.h"

namespace fansim::estimate {

// Holds one instance of a synthesised design with everything below it.
struct Instance {
  std::string name, module;
  contract::Resources use;  // its LUTs include those used as memory or shift register
  std::vector<Instance> below;
};

// Holds what a synthesis tool reports about a design.
struct Utilisation {
  std::string file;
  std::string tool;  // "Vivado" or "Yosys"
  std::string part;  // as the report names it; empty: it names none
  Instance top;      // the whole design
  bool has_hierarchy = false;
};

// No device and no tool goes beyond these limits, so a report that exceeds them is not a report.
constexpr std::int64_t kMostCells = 100'000'000;
constexpr std::int64_t kMostInstances = 1'000'000;

// Reads the text of Vivado's report_utilization, flat, hierarchical or both, or Yosys's `stat -json` of a design mapped
// to UltraScale+. Throws UserError if it is no such report, is cut short, or is of another device family.
Utilisation read_utilisation(const std::string& path);

Utilisation parse_vivado(const std::string& text, const std::string& file);
Utilisation parse_yosys(const std::string& text, const std::string& file);

}  // namespace fansim::estimate
