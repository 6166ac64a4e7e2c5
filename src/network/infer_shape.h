// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/yaml.h"
#include "network/network.h"

namespace fansim::network {

// Fills in the layer's input and output shapes and number formats from its producers among `before`. If the layer
// cannot take its input, the error is at the key responsible.
void infer_shape(const base::YamlMap& map, Layer& layer, const Network& before);

}  // namespace fansim::network
