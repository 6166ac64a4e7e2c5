// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace fansim::base {

// Returns the path of a file or folder that comes with the program (configs/, models/ and traces/). An installed
// program finds them in share/fansim, a program in its build folder finds them in the sources.
std::string data_path(const std::string& relative);

}  // namespace fansim::base
