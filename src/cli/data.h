// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace fansim::cli {

// A file or folder of those that come with the program: configs/, models/.
inline std::string data_path(const std::string& relative) { return std::string(FANSIM_SOURCE_DIR) + "/" + relative; }

}  // namespace fansim::cli
