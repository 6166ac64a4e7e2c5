// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "benches/memory/ddr_traffic.h"
#include "contract/ddr_part.h"

namespace fansim::benches {

// Reads the bursts of a trace, one per row, under the columns stream, write, address and bytes in any order. Throws
// UserError, with the place of the cell, if a row is no burst that the part can do.
std::vector<DdrBurst> parse_ddr_trace(std::string_view text, const std::string& file, const contract::DdrPart& part);

// Writes the same columns, followed by issue_ns, first_ns and last_ns.
std::string ddr_trace_csv(const std::vector<DdrBurst>& bursts, const contract::DdrPart& part);

}  // namespace fansim::benches
