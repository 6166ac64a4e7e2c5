// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "accelerators/vision/compile/stage_jobs.h"

namespace fansim::vision {

// Return the function that the host's software executes for a stage that has no unit, and its cycles. The function
// reads its images from memory and writes the result.
std::function<void(std::uint8_t* memory)> host_function(const Path& path);
std::uint32_t host_cycles(const Path& path, const Config& config);

}  // namespace fansim::vision
