// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "contract/resources.h"

namespace fansim::estimate {

// One instance of a synthesised design with everything below it.
struct Instance {
  std::string name, module;
  contract::Resources use;  // LUTs include those used as memory or shift register
  std::vector<Instance> below;
};

// What a synthesis tool says a design uses.
struct Utilisation {
  std::string file;
  std::string tool;  // "Vivado" or "Yosys"
  std::string part;  // as the report names it; empty: it names none
  Instance top;      // whole design
  bool has_hierarchy = false;
};

// Beyond what any device has, and any tool takes: a report that says more is none.
constexpr std::int64_t kMostCells = 100'000'000;
constexpr std::int64_t kMostInstances = 1'000'000;

// Reads the text of Vivado's report_utilization, flat, hierarchical or both, or Yosys's `stat -json` of a design mapped
// to UltraScale+. UserError: not such a report, cut short, or of another device family.
Utilisation read_utilisation(const std::string& path);

Utilisation parse_vivado(const std::string& text, const std::string& file);
Utilisation parse_yosys(const std::string& text, const std::string& file);

}  // namespace fansim::estimate
