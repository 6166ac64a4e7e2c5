// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "accelerators/vision/compile/stage_jobs.h"

namespace fansim::vision {

// What the host's software does with a stage that fits no slices: reads its images in memory and writes the result.
std::function<void(std::uint8_t* memory)> host_function(const Path& path);
std::uint32_t host_cycles(const Path& path, const Config& config);

}  // namespace fansim::vision
