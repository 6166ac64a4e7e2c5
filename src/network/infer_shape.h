// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/yaml.h"
#include "network/network.h"

namespace fansim::network {

// Fills the layer's input and output shapes and number formats from its producers among `before`. A layer that cannot
// take its input is an error at the key responsible.
void infer_shape(const base::YamlMap& map, Layer& layer, const Network& before);

}  // namespace fansim::network
