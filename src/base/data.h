// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace fansim::base {

// A file or folder of those that come with the program, configs/ and models/: beside an installed program in
// ../share/fansim, else in the source tree that it was built from.
std::string data_path(const std::string& relative);

}  // namespace fansim::base
