// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace fansim::base {

// A file or folder of those that come with the program, configs/, models/ and traces/: in share/fansim where the
// program is installed, in the sources for one that is where it was built.
std::string data_path(const std::string& relative);

}  // namespace fansim::base
