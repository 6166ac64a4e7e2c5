// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/yaml.h"
#include "network/network.h"

namespace fansim::network {

// The input image of a pipeline, from the map `input`.
void read_image(base::YamlMap& map, Tensor& input);

// Reads the stage that follows those of `before`, finds its images among them and infers its result.
Layer read_stage(const base::YamlNode& node, const Network& before);

}  // namespace fansim::network
