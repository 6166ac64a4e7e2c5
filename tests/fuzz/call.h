// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace fansim::test {

// Runs a subcommand with its arguments in this process, as the program's main would. Returns an exit code, or throws
// what the subcommand throws.
int call(const std::vector<std::string>& words);

}  // namespace fansim::test
