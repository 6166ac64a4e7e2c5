// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
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

// Says what shows that a report is of a 7-series device, or of a later one.
struct FamilySign {
  std::string what;  // "it counts Slice LUTs"
  bool seven_series = false;
};

// Holds what a synthesis tool reports about a design.
struct Utilisation {
  std::string file;
  std::string tool;  // "Vivado" or "Yosys"
  std::string part;  // as the report names it; empty: it names none
  Instance top;      // the whole design
  bool has_hierarchy = false;
  std::optional<FamilySign> family = std::nullopt;  // none: nothing shows it
};

// No device and no tool goes beyond these limits, so a report that exceeds them is not a report.
constexpr std::int64_t kMostCells = 100'000'000;
constexpr std::int64_t kMostInstances = 1'000'000;

// Reads the text of Vivado's report_utilization, flat, hierarchical, both, or of one pblock, or Yosys's `stat -json` of
// a design mapped to a device of 7 series or UltraScale+. Throws UserError if it is no such report, with the name of
// what it is if that is known, if it is cut short, or if it is of another device family.
Utilisation read_utilisation(const std::string& path);

Utilisation parse_vivado(const std::string& text, const std::string& file);
Utilisation parse_yosys(const std::string& text, const std::string& file);

// Returns whether the text has the JSON of Yosys's stat in it.
bool is_of_yosys(const std::string& text);

// Names a report of another tool, or another report of these two, by words that only it has; empty: unknown.
std::string foreign_report(const std::string& text);
constexpr const char* kReportsRead =
    "read are Vivado's report_utilization (flat, -hierarchical or -pblocks) and Yosys's stat -json";

}  // namespace fansim::estimate
