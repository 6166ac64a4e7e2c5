// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "report/run_report.h"

// What saturated in the registers of a quantiser (docs/quantisation.md, "Saturation").
namespace fansim::report {

// Returns a line that says which results a wider register would have made others, and which widths would hold; empty:
// there are none.
std::string saturation_warning(const RunReport& report);
// Returns a line on all registers; empty: nothing saturated.
std::string saturation_line(const RunReport& report);
// Returns a table of the layers in which something saturated, in HTML; empty: there is none.
std::string saturation_table(const RunReport& report);

nlohmann::ordered_json saturation_json(const arith::Saturation& seen);
// Returns the narrowest widths that would hold all sums, by key; null: the registers are wide enough.
nlohmann::ordered_json widths_json(const RunReport& report);

}  // namespace fansim::report
