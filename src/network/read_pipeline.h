// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/hash.h"
#include "base/yaml.h"
#include "network/network.h"

namespace fansim::network {

// Reads the input image of a pipeline from the map `input`.
void read_image(base::YamlMap& map, Tensor& input);

// Where a stage's own picture is looked for, and whether it is read.
struct StageFiles {
  std::string path;  // the pipeline's file
  bool values = true;
  std::uint64_t seed = 1;  // seed of the test card that replaces a picture that is not given
  base::Fnv1a* hash = nullptr;
};

// Reads the stage that follows those of `before`, finds its images among them and infers its result.
Layer read_stage(const base::YamlNode& node, const Network& before, const StageFiles& files);

}  // namespace fansim::network
