// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace fansim::cli {

// Runs this program again with other arguments, its standard output thrown away: a process elaborates one machine only.
// Returns its exit code; throws Interrupted if it was interrupted.
int run_self(const std::vector<std::string>& arguments);

}  // namespace fansim::cli
