// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "accelerators/vision/config/config.h"

namespace fansim::vision {

// OpenVX 1.1's base functions and where they run on this machine: cycles from samples to result, slices of its unit
// that work for it, pixels of one channel a cycle. The first row is the head.
std::vector<std::vector<std::string>> function_table(const Config& config);

}  // namespace fansim::vision
