// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace fansim::test {

// A subcommand and its arguments in this process, as the program's main would call it: an exit code, or what it throws.
int call(const std::vector<std::string>& words);

}  // namespace fansim::test
