// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "accelerators/vision/config/config.h"

namespace fansim::vision {

// Lists OpenVX 1.1's base functions and where they run on this machine: cycles from samples to result, slices of the
// unit that work for them, and pixels of one channel per cycle. The first row is the head.
std::vector<std::vector<std::string>> function_table(const Config& config);

}  // namespace fansim::vision
