// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "accelerators/vision/compile/stored_image.h"
#include "accelerators/vision/config/job.h"
#include "accelerators/vision/config/rows.h"
#include "compile/compile.h"
#include "network/network.h"

namespace fansim::vision {

// Describes the stages that an image passes one after another, from memory to memory.
struct Path {
  std::vector<const network::Layer*> stages;
  StoredImage image, second, result;  // second: for stages with two images
};

// Returns the jobs of a path: a single one, or one for each vertical stripe if the line memories are too short for the
// whole width. Stripes overlap by what their windows see.
compile::Fit<std::vector<Job>> jobs_of(const Path& path, const Config& config);

}  // namespace fansim::vision
