// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "arch/ddr_part.h"
#include "rules/ddr_traffic.h"

namespace fansim::cli {

// The bursts of a trace, one a row, under the columns stream, write, address and bytes in any order. UserError with the
// cell's place for what is no burst of the part.
std::vector<rules::DdrBurst> parse_ddr_trace(std::string_view text, const std::string& file, const arch::DdrPart& part);

// The same columns, then issue_ns, first_ns and last_ns.
std::string ddr_trace_csv(const std::vector<rules::DdrBurst>& bursts, const arch::DdrPart& part);

}  // namespace fansim::cli
