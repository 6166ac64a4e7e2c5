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

// Stages that an image passes one behind the other, from memory to memory.
struct Path {
  std::vector<const network::Layer*> stages;
  StoredImage image, second, result;  // second: of two images
};

// The jobs of a path: one, or one for each vertical stripe if the lines are too short for the whole width. Stripes
// overlap in what their windows see.
compile::Fit<std::vector<Job>> jobs_of(const Path& path, const Config& config);

}  // namespace fansim::vision
